/** The tables of one slot: reports, the names in them, and how many servers each address has. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeepOutcome, PluginReport, Submission } from '../../model/report-store.ts';
import { collectNames, decodeReport, encodeReport } from '../../store/report-codec.ts';
import { bytes, integer, text } from '../../store/rows.ts';

/** The most names kept in memory: a few MB. */
const maxKnownNames = 20_000;

const noBytes = new Uint8Array();

/** The most reports of a page. */
const pageRows = 512;

/** The tables on one connection. */
export class SlotTables {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #numbers = new Map<string, number>();

  constructor(db: DatabaseSync, start: number) {
    this.#statements = prepare(db, start);
  }

  /** Adds a report within a transaction. */
  keep(submission: Submission, maxPerAddress: number): readonly KeepOutcome[] {
    const { plugins, globalPlugin, server } = submission;
    const outcomes = plugins.map((report) => this.#keepPlugin(report, submission, maxPerAddress));
    if (globalPlugin !== undefined && outcomes.includes('kept')) this.#add(globalPlugin, server);
    return outcomes;
  }

  /** Reads all reports by plugin id. */
  *read(): Generator<readonly PluginReport[]> {
    const names = new Map<number, string>();
    for (let after: { pluginId: number; server: Uint8Array } = { pluginId: 0, server: noBytes }; ; ) {
      const rows = this.#statements.page.all(after.pluginId, after.server);
      const last = rows.at(-1);
      if (last === undefined) return;
      if (names.size > maxKnownNames) names.clear();
      yield rows.map((row) => ({
        pluginId: integer(row['plugin_id']),
        values: decodeReport(bytes(row['bytes']), (number) => this.#nameOf(number, names)),
      }));
      after = { pluginId: integer(last['plugin_id']), server: bytes(last['server']) };
    }
  }

  #keepPlugin(report: PluginReport, { server, address }: Submission, maxPerAddress: number): KeepOutcome {
    const { find, countOfAddress, countAddress } = this.#statements;
    const { pluginId } = report;
    if (find.get(pluginId, server) !== undefined) return 'repeated';
    const count = Number(countOfAddress.get(pluginId, address)?.['server_count'] ?? 0);
    if (count >= maxPerAddress) return 'address_limit';
    countAddress.run(pluginId, address);
    this.#add(report, server);
    return 'kept';
  }

  #add({ pluginId, values }: PluginReport, server: Uint8Array): void {
    const names = new Set<string>();
    collectNames(values, names);
    for (const name of names) this.#number(name);
    this.#statements.add.run(
      pluginId,
      server,
      encodeReport(values, (name) => this.#number(name)),
    );
  }

  #number(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const { numberOfName, addName } = this.#statements;
    const row = numberOfName.get(name) ?? addName.get(name);
    const number = integer(row?.['id']);
    if (this.#numbers.size >= maxKnownNames) this.#numbers.clear();
    this.#numbers.set(name, number);
    return number;
  }

  #nameOf(number: number, names: Map<number, string>): string {
    const known = names.get(number);
    if (known !== undefined) return known;
    const name = text(this.#statements.nameOf.get(number)?.['name']);
    names.set(number, name);
    return name;
  }
}

function prepare(db: DatabaseSync, start: number): Readonly<Record<StatementName, StatementSync>> {
  const [report, address, name] = ['report', 'address', 'name'].map((table) => `${table}_${start}`);
  return {
    find: db.prepare(`select 1 from ${report} where plugin_id = ? and server = ?`),
    add: db.prepare(
      `insert into ${report} (plugin_id, server, bytes) values (?, ?, ?) on conflict do nothing`,
    ),
    page: db.prepare(`
      select plugin_id, server, bytes from ${report}
      where (plugin_id, server) > (?, ?)
      order by plugin_id, server
      limit ${pageRows}`),
    countOfAddress: db.prepare(`select server_count from ${address} where plugin_id = ? and address = ?`),
    countAddress: db.prepare(`
      insert into ${address} (plugin_id, address, server_count) values (?, ?, 1)
      on conflict (plugin_id, address) do update set server_count = server_count + 1`),
    numberOfName: db.prepare(`select id from ${name} where name = ?`),
    addName: db.prepare(`insert into ${name} (name) values (?) returning id`),
    nameOf: db.prepare(`select name from ${name} where id = ?`),
  };
}

type StatementName =
  | 'find'
  | 'add'
  | 'page'
  | 'countOfAddress'
  | 'countAddress'
  | 'numberOfName'
  | 'addName'
  | 'nameOf';
