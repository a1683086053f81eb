/** Questions 1 to 4 again, beside a bare loop on Node's HTTP server that writes the same bytes. */
import { dataPath, ecosystem, exampleLine } from '../data/catalogue.ts';
import { rawMessage, startBareServer } from '../harness/bare-server.ts';
import { loadText, runLoad, warmUp } from '../harness/load.ts';
import { ask, startServe } from '../harness/server.ts';
import { keptStore } from '../harness/stores.ts';
import { alternate, atLeast, type Bench, type Finding, medianOf, type Question } from '../question.ts';

const rows = [
  { id: 'L1', title: 'default month, cache hit, beside the bare loop' },
  { id: 'L2', title: '`maxElements=1`, cache hit, beside the bare loop', query: '?maxElements=1' },
  { id: 'L3', title: '304 to its own entity tag, beside the bare loop', isConditional: true },
] as const satisfies readonly Row[];

interface Row {
  readonly id: string;
  readonly title: string;
  readonly query?: string;
  readonly isConditional?: true;
}

/** The questions of this file. */
export const besideBareLoop: readonly Question[] = rows.map((row) => ({
  id: row.id,
  title: row.title,
  measure: async (bench) => [await compare(bench, row)],
}));

/** Loads the message that both sides send, with the headers of its requests. */
async function loadMessage(
  bench: Bench,
  store: string,
  { path, isConditional }: { readonly path: string; readonly isConditional: true | undefined },
) {
  await using server = await startServe(bench, store);
  const { headers } = await ask(server.url + path);
  const asked = isConditional ? { 'if-none-match': String(headers['etag']) } : {};
  return { asked, message: await rawMessage(server.url, path, asked) };
}

async function compare(bench: Bench, { query, isConditional }: Row): Promise<Finding> {
  const path = dataPath(exampleLine(ecosystem), query);
  const store = await keptStore(bench, ecosystem);
  const { asked, message } = await loadMessage(bench, store, { path, isConditional });
  const requests = [{ path, headers: asked }];
  // One process differs from the next by up to a tenth, and the machine from one second to the next by more.
  const inNewProcesses = async () => {
    await using ours = await startServe(bench, store);
    await using bare = await startBareServer(bench, message);
    for (const server of [ours, bare]) await warmUp(bench, server, requests);
    return await alternate(
      bench,
      { ours: () => runLoad(bench, ours, { requests }), bare: () => runLoad(bench, bare, { requests }) },
      6,
    );
  };
  const { both } = await alternate(bench, { both: inNewProcesses }, 3);
  const rounds = { ours: both.flatMap(({ ours }) => ours), bare: both.flatMap(({ bare }) => bare) };
  return {
    what: 'identity',
    unit: '/CPU s',
    ours: medianOf(rounds.ours, ({ perCpuSecond }) => perCpuSecond),
    limit: medianOf(rounds.bare, ({ perCpuSecond }) => perCpuSecond),
    demand: atLeast(0.9, 1),
    notes: [`by the clock, ours: ${loadText(rounds.ours)}; bare: ${loadText(rounds.bare)}`],
  };
}
