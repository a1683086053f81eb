/** Adds batches of reports to the tables of one slot, within a transaction. */
import {
  closedSlot,
  type KeepOutcome,
  type PluginReport,
  type Submission,
} from '../../model/report-store.ts';
import { collectNames, encodeReport } from '../../store/report-codec.ts';
import { bytes, integer, type Row, text } from '../../store/rows.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { slotStatements } from './slot-statements.ts';

/** The most names kept in memory: a few MB. */
const maxKnownNames = 20_000;

/** A plugin of a submission, with the place of its outcome. */
interface Candidate {
  readonly submission: Submission;
  readonly report: PluginReport;
  /** Its server for its plugin. */
  readonly key: string;
}

/** The tables of one slot. */
export class SlotWriter {
  readonly #start: number;
  readonly #sql: ReturnType<typeof slotStatements>;
  readonly #numbers = new Map<string, number>();

  constructor(start: number) {
    this.#start = start;
    this.#sql = slotStatements(start);
  }

  /** Adds reports. @throws AppError `conflict` for a slot that is frozen or gone. */
  async keep(
    connection: PostgresConnection,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<readonly (readonly KeepOutcome[])[]> {
    await this.#learnNames(connection, submissions);
    const candidates = submissions.map((submission) =>
      submission.plugins.map((report) => candidateOf(submission, report)),
    );
    const globals = submissions.flatMap((submission) =>
      submission.globalPlugin === undefined ? [] : [candidateOf(submission, submission.globalPlugin)],
    );
    const first = firstByKey(candidates.flat());
    const firstGlobals = firstByKey(globals);
    const rows = await this.#add(connection, [...first.values()], [...firstGlobals.values()]);
    const byKind = Map.groupBy(rows, (row) => text(row['kind']));
    // A collector that freezes the slot waits for this transaction, or this one for it.
    if (!byKind.has('open')) throw closedSlot(this.#start);
    const added = new Set((byKind.get('report') ?? []).map(keyOfRow));
    const beyond = findBeyond(first, { added, counts: byKind.get('address') ?? [], maxPerAddress });
    const isKept = (candidate: Candidate) => added.has(candidate.key) && !beyond.has(candidate);
    if (beyond.size > 0) {
      const servers = new Set([...first.values()].filter(isKept).map(serverKey));
      const addedGlobals = (byKind.get('global') ?? []).flatMap(
        (row) => firstGlobals.get(keyOfRow(row)) ?? [],
      );
      const notCounted = addedGlobals.filter((one) => !servers.has(serverKey(one)));
      await this.#remove(connection, { beyond: [...beyond], notCounted, maxPerAddress });
    }
    return candidates.map((ofOne) =>
      ofOne.map((candidate): KeepOutcome => {
        if (first.get(candidate.key) !== candidate || !added.has(candidate.key)) return 'repeated';
        return beyond.has(candidate) ? 'address_limit' : 'kept';
      }),
    );
  }

  async #learnNames(connection: PostgresConnection, submissions: readonly Submission[]): Promise<void> {
    const names = new Set<string>();
    for (const { plugins, globalPlugin } of submissions) {
      for (const { values } of plugins) collectNames(values, names);
      if (globalPlugin !== undefined) collectNames(globalPlugin.values, names);
    }
    if (this.#numbers.size > maxKnownNames) this.#numbers.clear();
    const unknown = [...names].filter((name) => !this.#numbers.has(name));
    if (unknown.length === 0) return;
    await connection.query(this.#sql.addNames, [unknown]);
    for (const row of await connection.query(this.#sql.numbers, [unknown]))
      this.#numbers.set(text(row['name']), integer(row['id']));
  }

  /** Adds candidates with different keys; returns what was new. */
  #add(
    connection: PostgresConnection,
    candidates: readonly Candidate[],
    globals: readonly Candidate[],
  ): Promise<readonly Row[]> {
    const encoded = ({ report: { values } }: Candidate) =>
      encodeReport(values, (name) => this.#numbers.get(name) ?? 0);
    return connection.query(this.#sql.keep, [
      ...columnsOf(candidates),
      candidates.map(encoded),
      candidates.map(({ submission }) => submission.address),
      ...columnsOf(globals),
      globals.map(encoded),
    ]);
  }

  /** Takes back the reports beyond the limit, and those of the global plugin that came with them. */
  async #remove(
    connection: PostgresConnection,
    {
      beyond,
      notCounted,
      maxPerAddress,
    }: {
      readonly beyond: readonly Candidate[];
      readonly notCounted: readonly Candidate[];
      readonly maxPerAddress: number;
    },
  ): Promise<void> {
    const addresses = beyond.map(({ submission }) => submission.address);
    const [pluginIds] = columnsOf(beyond);
    await connection.query(this.#sql.limitAddresses, [pluginIds, addresses, maxPerAddress]);
    await connection.query(this.#sql.remove, columnsOf([...beyond, ...notCounted]));
  }
}

function candidateOf(submission: Submission, report: PluginReport): Candidate {
  return { submission, report, key: rowKey(report.pluginId, submission.server) };
}

function firstByKey(candidates: readonly Candidate[]): Map<string, Candidate> {
  const first = new Map<string, Candidate>();
  for (const candidate of candidates) if (!first.has(candidate.key)) first.set(candidate.key, candidate);
  return first;
}

/** Finds the reports that are more than an address may have: those that came last. */
function findBeyond(
  candidates: ReadonlyMap<string, Candidate>,
  {
    added,
    counts,
    maxPerAddress,
  }: { readonly added: ReadonlySet<string>; readonly counts: readonly Row[]; readonly maxPerAddress: number },
): ReadonlySet<Candidate> {
  const full = counts.filter((row) => integer(row['server_count']) > maxPerAddress);
  if (full.length === 0) return new Set();
  const byAddress = Map.groupBy(
    [...candidates.values()].filter(({ key }) => added.has(key)),
    ({ report, submission }) => rowKey(report.pluginId, submission.address),
  );
  return new Set(
    full.flatMap((row) => {
      const group = byAddress.get(keyOfRow(row)) ?? [];
      const excess = Math.min(group.length, integer(row['server_count']) - maxPerAddress);
      return group.slice(group.length - excess);
    }),
  );
}

/** The columns of the key. */
function columnsOf(candidates: readonly Candidate[]): readonly [readonly number[], readonly Uint8Array[]] {
  return [
    candidates.map(({ report }) => report.pluginId),
    candidates.map(({ submission }) => submission.server),
  ];
}

function serverKey({ submission }: Candidate): string {
  return Buffer.from(submission.server).toString('base64');
}

function keyOfRow(row: Row): string {
  return rowKey(integer(row['plugin_id']), bytes(row['hash']));
}

function rowKey(pluginId: number, hash: Uint8Array): string {
  return `${pluginId} ${Buffer.from(hash).toString('base64')}`;
}
