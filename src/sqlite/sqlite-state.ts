/** Reads a whole store in one transaction. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { chunkOf, type Row } from '../store/rows.ts';
import { lineTypesSql } from '../store/stored-columns.ts';
import type { Pages, StoredState } from '../store/stored-records.ts';

const sql = {
  software: 'select id, name, url, global_plugin_id, checksum from software order by id',
  plugins: `
    select plugin.id, plugin.name, owner_id, owner.name as owner_name, software_id, is_global,
      plugin.checksum, owner.checksum as owner_checksum
    from plugin left join owner on owner.id = plugin.owner_id
    order by plugin.id`,
  charts: `
    select plugin_id, uid, chart_id, type, position, title, is_default, settings, chart.checksum,
      json, at, snapshot.checksum as json_checksum
    from chart left join snapshot on chart_uid = uid
    order by plugin_id, chart_id`,
  series: 'select chart_uid, first_timestamp, bytes from chunk where chart_uid = ? order by first_timestamp',
  chunks: `
    select plugin_id, chart_id, type, chart_uid, first_timestamp, bytes
    from chunk left join chart on uid = chart_uid order by chart_uid, first_timestamp`,
  hasPast: `
    select exists (
        select 1 from chart
        where type not in (${lineTypesSql}) and exists (select 1 from chunk where chart_uid = uid))
      or exists (select 1 from event) or exists (select 1 from old_name)
      or exists (select 1 from removal) as has_past`,
  oldNames: 'select plugin_id, name, checksum from old_name order by plugin_id, name',
  events: `
    select plugin_id, time, title, url, checksum from event order by plugin_id, time, title`,
  removals:
    'select plugin_id, chart_id, before_timestamp, checksum from removal order by plugin_id, chart_id',
};

const pageRows = 64;

/** The state at the time of the first read. The caller closes the connection. */
export class SqliteState implements StoredState {
  readonly #db: DatabaseSync;
  readonly #series: StatementSync;

  constructor(db: DatabaseSync) {
    db.exec('begin');
    this.#db = db;
    this.#series = db.prepare(sql.series);
  }

  software(): Pages {
    return pages(this.#db, sql.software);
  }

  plugins(): Pages {
    return pages(this.#db, sql.plugins);
  }

  charts(): Pages {
    return pages(this.#db, sql.charts);
  }

  async loadSeries(uid: number) {
    return this.#series.all(uid).map(chunkOf);
  }

  async hasPast(): Promise<boolean> {
    return Number(this.#db.prepare(sql.hasPast).get()?.['has_past']) === 1;
  }

  oldNames(): Pages {
    return pages(this.#db, sql.oldNames);
  }

  events(): Pages {
    return pages(this.#db, sql.events);
  }

  chunks(): Pages {
    return pages(this.#db, sql.chunks);
  }

  removals(): Pages {
    return pages(this.#db, sql.removals);
  }
}

/** Yields the rows of a statement in pages. */
export async function* pages(
  db: DatabaseSync,
  statement: string,
  {
    rowCount = pageRows,
    values = [],
  }: { readonly rowCount?: number; readonly values?: readonly (string | number)[] } = {},
): AsyncGenerator<Row[]> {
  let page: Row[] = [];
  for (const row of db.prepare(statement).iterate(...values)) {
    page.push(row);
    if (page.length < rowCount) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
