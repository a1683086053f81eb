/** Load: `wrk` on a core of its own, and what it counted. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../question.ts';
import { runChild } from './child.ts';
import { getProgram } from './programs.ts';

/** What to ask, and how hard. */
export interface Load {
  readonly baseUrl: string;
  /** What is asked, over and over; of several, one after the other in this order. */
  readonly requests: readonly LoadRequest[];
  readonly seconds: number;
  /** Left out: 64. */
  readonly connectionCount?: number;
  /** Left out: 1. */
  readonly threadCount?: number;
  /** Left out: the core for load. */
  readonly cores?: string;
  /** Gives way to whatever else runs on its cores. */
  readonly isYielding?: boolean;
  /** Statuses beyond 399 are expected among the answers. */
  readonly takesErrors?: boolean;
}

/** One request. */
export interface LoadRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came of it. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly requestCount: number;
  /** What making a request and taking its answer cost the load's own core. */
  readonly cpuSecondsPerRequest: number;
}

const defaultConnectionCount = 64;

/** Makes load for a while. Rejects where an answer was an error or a connection broke. */
export async function runWrk(bench: Bench, load: Load): Promise<LoadResult> {
  const { seconds, threadCount = 1, connectionCount = defaultConnectionCount } = load;
  const { output, cpuSeconds } = await runChild(bench, {
    command: getProgram('wrk'),
    args: [
      ...[`-t${threadCount}`, `-c${connectionCount}`, `-d${seconds}s`, '--timeout', '30s'],
      ...(await target(bench, load)),
    ],
    cores: load.cores ?? bench.cores.load,
    isYielding: load.isYielding ?? false,
    timeoutMs: (seconds + 60) * 1000,
  });
  const counts = parseWrk(output, load.takesErrors ?? false);
  return { ...counts, cpuSecondsPerRequest: cpuSeconds / Math.max(1, counts.requestCount) };
}

/** Reads what `wrk` prints. Throws for broken connections and, unless they are expected, for error answers. */
export function parseWrk(
  output: string,
  takesErrors: boolean,
): Pick<LoadResult, 'requestsPerSecond' | 'requestCount'> {
  const broken = /Socket errors: .*/.exec(output)?.[0];
  const refused = /Non-2xx or 3xx responses: \d+/.exec(output)?.[0];
  if (broken !== undefined) throw new Error(`the load broke: ${broken}`);
  if (refused !== undefined && !takesErrors) throw new Error(`not every answer was good: ${refused}`);
  const rate = /^Requests\/sec:\s+([\d.]+)/m.exec(output)?.[1];
  const count = /^\s+(\d+) requests in /m.exec(output)?.[1];
  if (rate === undefined || count === undefined) throw new Error(`wrk printed no rate: ${output.trim()}`);
  return { requestsPerSecond: Number(rate), requestCount: Number(count) };
}

/** One request needs no script, which would cost `wrk` a part of its speed. */
async function target(bench: Bench, { baseUrl, requests }: Load): Promise<string[]> {
  const [first, second] = requests;
  if (first === undefined || second !== undefined) return ['-s', await writeScript(bench, requests), baseUrl];
  return [...headerLines(first).flatMap((line) => ['-H', line]), baseUrl + first.path];
}

function headerLines({ headers = {} }: LoadRequest): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/**
 * A script that goes through the requests, which are rendered once. Threads begin at different places, so that
 * they do not ask for the same thing at the same time.
 */
async function writeScript(bench: Bench, requests: readonly LoadRequest[]): Promise<string> {
  const folder = await mkdtemp(join(bench.folder, 'wrk-'));
  const list = join(folder, 'requests.txt');
  const lines = requests.map((request) => `${[request.path, ...headerLines(request)].join('\t')}\n`);
  await writeFile(list, lines.join(''));
  const script = join(folder, 'script.lua');
  await writeFile(script, scriptText(list));
  return script;
}

function scriptText(list: string): string {
  return `
local threads = 0
function setup(thread)
  thread:set("share", threads)
  threads = threads + 1
end

local requests = {}
local at = 0
function init(args)
  for line in io.lines(${JSON.stringify(list)}) do
    local headers = { Host = wrk.headers["Host"] }
    local path = line:match("^[^\\t]*")
    for name, value in line:gmatch("\\t([^:]*): ([^\\t]*)") do headers[name] = value end
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
  at = math.floor(#requests * share * 0.37) % #requests
end

function request()
  at = at % #requests + 1
  return requests[at]
end
`;
}
