/** Adds batches of reports to the tables of one slot, within a transaction. */
import type { KeepOutcome, PluginReport, Submission } from '../../model/report-store.ts';
import { collectNames, encodeReport } from '../../store/report-codec.ts';
import { bytes, integer, text } from '../../store/rows.ts';
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
  readonly #sql: ReturnType<typeof slotStatements>;
  readonly #numbers = new Map<string, number>();

  constructor(start: number) {
    this.#sql = slotStatements(start);
  }

  /** Adds reports. */
  async keep(
    connection: PostgresConnection,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<readonly (readonly KeepOutcome[])[]> {
    await this.#learnNames(connection, submissions);
    const candidates = submissions.map((submission) =>
      submission.plugins.map((report): Candidate => ({ submission, report, key: keyOf(report, submission) })),
    );
    const first = new Map<string, Candidate>();
    for (const candidate of candidates.flat())
      if (!first.has(candidate.key)) first.set(candidate.key, candidate);
    const added = await this.#add(connection, [...first.values()]);
    const isAdded = new Set(added);
    const beyond = await this.#limit(connection, added, maxPerAddress);
    const outcomes = candidates.map((ofOne) =>
      ofOne.map((candidate): KeepOutcome => {
        if (!isAdded.has(candidate)) return 'repeated';
        return beyond.has(candidate) ? 'address_limit' : 'kept';
      }),
    );
    await this.#addGlobal(
      connection,
      submissions.filter((_, index) => outcomes[index]?.includes('kept')),
    );
    return outcomes;
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

  /** Adds candidates with different keys; returns those that were not there, in their order. */
  async #add(
    connection: PostgresConnection,
    candidates: readonly Candidate[],
  ): Promise<readonly Candidate[]> {
    if (candidates.length === 0) return [];
    const rows = await connection.query(this.#sql.add, [
      candidates.map(({ report }) => report.pluginId),
      candidates.map(({ submission }) => submission.server),
      candidates.map(({ report }) => this.#encode(report)),
    ]);
    const isAdded = new Set(rows.map((row) => rowKey(integer(row['plugin_id']), bytes(row['server']))));
    return candidates.filter(({ key }) => isAdded.has(key));
  }

  async #addGlobal(connection: PostgresConnection, submissions: readonly Submission[]): Promise<void> {
    const first = new Map<string, Candidate>();
    for (const submission of submissions) {
      const { globalPlugin: report } = submission;
      if (report === undefined) continue;
      const key = keyOf(report, submission);
      if (!first.has(key)) first.set(key, { submission, report, key });
    }
    await this.#add(connection, [...first.values()]);
  }

  /** Counts the servers of each address, and removes the reports beyond the limit; returns those. */
  async #limit(
    connection: PostgresConnection,
    added: readonly Candidate[],
    maxPerAddress: number,
  ): Promise<ReadonlySet<Candidate>> {
    const byAddress = Map.groupBy(added, ({ report, submission }) =>
      rowKey(report.pluginId, submission.address),
    );
    const groups = [...byAddress.values()];
    if (groups.length === 0) return new Set();
    const columns = (members: readonly (readonly Candidate[])[]) => [
      members.map(([candidate]) => candidate?.report.pluginId),
      members.map(([candidate]) => candidate?.submission.address),
    ];
    const rows = await connection.query(this.#sql.countAddresses, [
      ...columns(groups),
      groups.map((group) => group.length),
    ]);
    const beyond: Candidate[] = [];
    const full: (readonly Candidate[])[] = [];
    for (const row of rows) {
      const group = byAddress.get(rowKey(integer(row['plugin_id']), bytes(row['address']))) ?? [];
      const excess = Math.min(group.length, integer(row['server_count']) - maxPerAddress);
      if (excess <= 0) continue;
      full.push(group);
      beyond.push(...group.slice(group.length - excess));
    }
    if (full.length === 0) return new Set();
    await connection.query(this.#sql.limitAddresses, [...columns(full), maxPerAddress]);
    await connection.query(this.#sql.remove, [
      beyond.map(({ report }) => report.pluginId),
      beyond.map(({ submission }) => submission.server),
    ]);
    return new Set(beyond);
  }

  #encode({ values }: PluginReport): Uint8Array {
    return encodeReport(values, (name) => this.#numbers.get(name) ?? 0);
  }
}

function keyOf({ pluginId }: PluginReport, { server }: Submission): string {
  return rowKey(pluginId, server);
}

function rowKey(pluginId: number, hash: Uint8Array): string {
  return `${pluginId} ${Buffer.from(hash).toString('base64')}`;
}
