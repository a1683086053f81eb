/** Load from `wrk`, and its cost for the server and the client. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogueLine, dataPath } from '../data/catalogue.ts';
import { shuffled } from '../data/random.ts';
import { type Bench, medianOf } from '../question.ts';
import { runChild } from './child.ts';
import { programPath } from './machine.ts';
import { serviceUse } from './processes.ts';
import type { Server } from './server.ts';

/** One request. */
export interface LoadRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The requests of a load, and its strength. */
export interface Load {
  /** Sent one after the other, in a loop. */
  readonly requests: readonly LoadRequest[];
  /** Duration; a round by default. */
  readonly seconds?: number;
  /** Number of connections; 64 by default. */
  readonly connectionCount?: number;
  /** Runs the load at the lowest priority. */
  readonly isYielding?: boolean;
  /** Allows statuses beyond 399. */
  readonly takesErrors?: boolean;
}

/** The figures of one round of load. */
export interface LoadRound {
  readonly requestCount: number;
  readonly perSecond: number;
  /** Requests per second of CPU time of all server processes. */
  readonly perCpuSecond: number;
  /** CPU time of the server divided by elapsed time: 1 is a full core. */
  readonly serverShare: number;
  /** The same ratio for the load generator. */
  readonly loadShare: number;
}

/** The smallest cache of `serve`: room for a few dozen default months, or a few hundred single points. */
export const smallCache = ['--cache-mb', '1'];

/** Requests the default month of each line, in random order: far more than the smallest cache holds. */
export function shuffledRequests(lines: readonly CatalogueLine[]): LoadRequest[] {
  return shuffled(lines, 6).map((line) => ({ path: dataPath(line) }));
}

/** Runs the load for one round. Rejects if a response was an error or a connection broke. */
export async function runLoad(bench: Bench, server: Server, load: Load): Promise<LoadRound> {
  const { seconds = bench.isQuick ? 1 : 2, connectionCount = 64 } = load;
  const target = await targetArgs(bench, server, load.requests);
  const before = serviceUse(server.pid).cpuSeconds;
  const { output, cpuSeconds } = await runChild(bench, {
    command: programPath('wrk'),
    args: ['-t1', `-c${connectionCount}`, `-d${seconds}s`, '--timeout', '30s', ...target],
    cores: bench.cores.load,
    isYielding: load.isYielding ?? false,
  });
  const serverSeconds = serviceUse(server.pid).cpuSeconds - before;
  const counts = parseWrk(output, load.takesErrors ?? false);
  return {
    ...counts,
    perCpuSecond: counts.requestCount / serverSeconds,
    serverShare: serverSeconds / seconds,
    loadShare: cpuSeconds / seconds,
  };
}

/**
 * Asks for the charts before measuring, in the first seconds of a server: half of its time then goes into compiling, and a new
 * store is read from the disk.
 */
export async function warmUp(bench: Bench, server: Server, requests: readonly LoadRequest[]): Promise<void> {
  await runLoad(bench, server, { requests, seconds: bench.isQuick ? 1 : 8 });
}

/** Parses the output of `wrk`. Throws for broken connections and, unless they are expected, for errors. */
export function parseWrk(
  output: string,
  takesErrors: boolean,
): Pick<LoadRound, 'perSecond' | 'requestCount'> {
  const broken = /Socket errors: .*/.exec(output)?.[0];
  const refused = /Non-2xx or 3xx responses: \d+/.exec(output)?.[0];
  if (broken !== undefined) throw new Error(`the load broke: ${broken}`);
  if (refused !== undefined && !takesErrors) throw new Error(`not every answer was good: ${refused}`);
  const rate = /^Requests\/sec:\s+([\d.]+)/m.exec(output)?.[1];
  const count = /^\s+(\d+) requests in /m.exec(output)?.[1];
  if (rate === undefined || count === undefined) throw new Error(`wrk printed no rate: ${output.trim()}`);
  return { perSecond: Number(rate), requestCount: Number(count) };
}

/** A single request needs no script, which would slow `wrk` down. */
async function targetArgs(
  bench: Bench,
  { url }: Server,
  requests: readonly LoadRequest[],
): Promise<string[]> {
  const lines = requests.map(({ path, headers = {} }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]);
  const [[path, ...headers] = [], second] = lines;
  if (second === undefined) return [...headers.flatMap((header) => ['-H', header]), url + path];
  const folder = await mkdtemp(join(bench.folder, 'wrk-'));
  const list = join(folder, 'requests.txt');
  const script = join(folder, 'script.lua');
  await writeFile(list, lines.map((line) => `${line.join('\t')}\n`).join(''));
  await writeFile(script, scriptText(list));
  return ['-s', script, url];
}

/** Renders every request once. */
function scriptText(list: string): string {
  return `
local requests = {}
local at = 0
function init(args)
  for line in io.lines(${JSON.stringify(list)}) do
    local headers = { Host = wrk.headers["Host"] }
    local path = line:match("^[^\\t]*")
    for name, value in line:gmatch("\\t([^:]*): ([^\\t]*)") do headers[name] = value end
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
`;
}

/** Describes the rate over elapsed time and the CPU use: if the core of the load is full, it limits the rate. */
export function loadText(rounds: readonly LoadRound[]): string {
  const rate = medianOf(rounds, ({ perSecond }) => perSecond);
  const percent = (share: (round: LoadRound) => number) => `${(100 * medianOf(rounds, share)).toFixed(0)}%`;
  return (
    `${rate.toLocaleString('en-US', { maximumFractionDigits: 0 })}/s with ` +
    `${percent(({ serverShare }) => serverShare)} of the server's core, ` +
    `${percent(({ loadShare }) => loadShare)} of the load's`
  );
}
