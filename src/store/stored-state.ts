/** Reads a whole store in one transaction, in pages. */
import type { Chunk } from '../series/chunk.ts';
import { selecting, whole, wholeIfAny } from './intact-row.ts';
import { chunkOf, integer, type Row } from './rows.ts';
import {
  idsIn,
  keyList,
  keysetPages,
  lineTypesSql,
  type Pages,
  paged,
  type Sql,
  smallestKey,
} from './sql.ts';

const pageRows = 1024;

const softwareSql = paged(
  selecting`select ${whole('software')} from software where id > ?1 order by id`,
  pageRows,
);

const pluginsSql = paged(
  selecting`select ${whole('plugin')}, ${whole('owner', 'owner_')}
  from plugin left join owner on owner.id = plugin.owner_id
  where plugin.id > ?1
  order by plugin.id`,
  pageRows,
);

// Settings and data of a chart have up to a megabyte each.
const chartsSql = paged(
  selecting`select ${whole('chart')}, ${wholeIfAny('snapshot', 'snapshot_')}
  from chart left join snapshot on chart_uid = uid
  where (plugin_id, chart_id) > (?1, ?2)
  order by plugin_id, chart_id`,
  64,
);

// A chunk of a line has up to some KB, one of shares up to some hundred.
const seriesSql = paged(
  `select chart_uid, first_timestamp, bytes from chunk
  where first_timestamp > ?1 and chart_uid in ${idsIn(2)}
  order by chart_uid, first_timestamp`,
  pageRows,
);

const chunksSql = paged(
  `select chart_uid, plugin_id, chart_id, type, first_timestamp, bytes
  from chunk left join chart on uid = chart_uid
  where (chart_uid, first_timestamp) > (?1, ?2)
  order by chart_uid, first_timestamp`,
  pageRows,
);

const hasPastSql = `
  select exists (
      select 1 from chart
      where type not in (${lineTypesSql}) and exists (select 1 from chunk where chart_uid = uid))
    or exists (select 1 from event) or exists (select 1 from old_name) or exists (select 1 from removal) as has_past`;

const oldNamesSql = paged(
  selecting`select ${whole('old_name')} from old_name
  where (plugin_id, name) > (?1, ?2)
  order by plugin_id, name`,
  pageRows,
);

const eventsSql = paged(
  selecting`select ${whole('event')} from event
  where (plugin_id, time, title) > (?1, ?2, ?3)
  order by plugin_id, time, title`,
  pageRows,
);

const removalsSql = paged(
  selecting`select ${whole('removal')} from removal
  where (plugin_id, chart_id) > (?1, ?2)
  order by plugin_id, chart_id`,
  pageRows,
);

/** The rows of one state of a store. */
export class StoredState {
  readonly #sql: Sql;
  #series: SeriesPages | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** By ascending id. */
  software(): Pages {
    return keysetPages(this.#sql, softwareSql, { id: smallestKey });
  }

  /** By ascending id, with the columns of the owner, which begin with `owner_`. */
  plugins(): Pages {
    return keysetPages(this.#sql, pluginsSql, { id: smallestKey });
  }

  /** By plugin, then chart id bytewise; with the columns of the snapshot, which begin with `snapshot_`, or null. */
  async *charts(): Pages {
    const start = { plugin_id: smallestKey, chart_id: '' };
    for await (const page of keysetPages(this.#sql, chartsSql, start)) {
      this.#series = new SeriesPages(this.#sql, page);
      yield page;
    }
  }

  /** True for a store with histories, events, old names or removals. */
  async hasPast(): Promise<boolean> {
    const [row] = await this.#sql.all(hasPastSql);
    return Boolean(row?.['has_past']);
  }

  /** By plugin, then name bytewise. */
  oldNames(): Pages {
    return keysetPages(this.#sql, oldNamesSql, { plugin_id: smallestKey, name: '' });
  }

  /** By plugin, then time, then title bytewise. */
  events(): Pages {
    return keysetPages(this.#sql, eventsSql, { plugin_id: smallestKey, time: smallestKey, title: '' });
  }

  /** Loads the chunks of one chart of the latest page of charts, in ascending order. */
  async loadSeries(uid: number): Promise<readonly Chunk[]> {
    return (await this.#series?.read(uid)) ?? [];
  }

  /** Every chunk by chart uid, then time; with the chart's `plugin_id`, `chart_id` and `type`. */
  chunks(): Pages {
    return keysetPages(this.#sql, chunksSql, { chart_uid: smallestKey, first_timestamp: smallestKey });
  }

  /** By plugin, then chart id. */
  removals(): Pages {
    return keysetPages(this.#sql, removalsSql, { plugin_id: smallestKey, chart_id: '' });
  }
}

/** Loads the chunks of several charts: together if they fit a page, and otherwise each alone, in pages. */
class SeriesPages {
  readonly #sql: Sql;
  readonly #uids: readonly number[];
  #together: ReadonlyMap<number, readonly Chunk[]> | 'too many' | undefined;

  constructor(sql: Sql, charts: readonly Row[]) {
    this.#sql = sql;
    this.#uids = charts.map((row) => integer(row['uid']));
  }

  async read(uid: number): Promise<readonly Chunk[]> {
    this.#together ??= await this.#readTogether();
    return this.#together === 'too many' ? this.#readAlone(uid) : (this.#together.get(uid) ?? []);
  }

  async #readTogether() {
    const chunks = (await this.#sql.all(seriesSql.text, smallestKey, keyList(this.#uids))).map(chunkOf);
    return chunks.length === seriesSql.limit ? 'too many' : Map.groupBy(chunks, (chunk) => chunk.uid);
  }

  async #readAlone(uid: number): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    const pages = keysetPages(this.#sql, seriesSql, { first_timestamp: smallestKey }, keyList([uid]));
    for await (const page of pages) chunks.push(...page.map(chunkOf));
    return chunks;
  }
}
