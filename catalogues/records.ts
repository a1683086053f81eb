/**
 * Catalogues as archives: the one writer of the sample, of the data of the bench, and of what two builds are
 * compared with.
 */

/**
 * JSON as text. Settings and data are text from the start: a JavaScript object would move members named like
 * integers to the front and would drop one named `__proto__`.
 */
export type JsonText = string;

/** A software record. */
export interface MadeSoftware {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly globalPluginId: number | null;
}

/** The owner of a plugin. */
export interface MadeOwner {
  readonly id: number;
  readonly name: string;
}

/** A plugin record. */
export interface MadePlugin {
  readonly id: number;
  readonly name: string;
  readonly owner: MadeOwner;
  readonly softwareId: number;
  readonly isGlobal: boolean;
}

/** A chart with its data. */
export interface MadeChart {
  readonly chartId: string;
  readonly uid: number;
  readonly type: string;
  readonly position: number;
  readonly title: string;
  readonly isDefault: boolean;
  readonly settings: JsonText;
  /** One text for each `data` record: none without data, more than one only for a line. */
  readonly data: Iterable<JsonText>;
  /** Time of the data, for a chart with a history. */
  readonly at?: number | undefined;
  /** The members `times` and `series` of each `history` record. */
  readonly history?: Iterable<JsonText> | undefined;
}

/** An event of a plugin. */
export interface MadeEvent {
  readonly time: number;
  readonly title: string;
  readonly url: string | null;
}

/** Everything of a catalogue; plugins and charts may be made while they are written. */
export interface MadeCatalogue {
  readonly software: Iterable<MadeSoftware>;
  readonly plugins: Iterable<{
    readonly plugin: MadePlugin;
    readonly charts: Iterable<MadeChart>;
    readonly events?: Iterable<MadeEvent>;
  }>;
  /**
   * Writes all histories, then all data, record by record for all charts, like a collector; otherwise those
   * of each chart behind it. The times of one week are then close together, which makes the gzip file of the
   * sample 10% smaller.
   */
  readonly inRounds?: boolean;
}

/**
 * An archive of these records, in blocks. The version is 2 where a record has times of its own: `at`, or a
 * history.
 */
export function* archive(records: Iterable<string>, version: 1 | 2 = 1): Generator<string> {
  let block = `{"record":"archive","version":${version}}\n`;
  let recordCount = 0;
  for (const record of records) {
    block += `${record}\n`;
    recordCount++;
    if (block.length < blockLength) continue;
    yield block;
    block = '';
  }
  yield `${block}{"record":"end","records":${recordCount}}\n`;
}

const blockLength = 2 ** 16;

/** The records of a catalogue. */
export function* catalogueRecords({ software, plugins, inRounds = false }: MadeCatalogue): Generator<string> {
  for (const one of software) yield softwareRecord(one);
  const [histories, data] = [new Rounds(), new Rounds()];
  for (const { plugin, charts, events = [] } of plugins) {
    const { id } = plugin;
    yield pluginRecord(plugin);
    for (const chart of charts) {
      yield chartRecord(id, chart);
      if (inRounds) {
        histories.add(historyRecords(id, chart));
        data.add(dataRecords(id, chart));
      } else {
        yield* historyRecords(id, chart);
        yield* dataRecords(id, chart);
      }
    }
    for (const event of events)
      if (inRounds) data.add([eventRecord(id, event)]);
      else yield eventRecord(id, event);
  }
  yield* histories.all();
  yield* data.all();
}

/** A software as a record. */
export function softwareRecord(software: MadeSoftware): string {
  return JSON.stringify({ record: 'software', ...software });
}

/** A plugin as a record. */
export function pluginRecord({ id, name, owner, softwareId, isGlobal }: MadePlugin): string {
  return JSON.stringify({ record: 'plugin', id, name, owner, softwareId, isGlobal });
}

/** An event as a record. */
export function eventRecord(pluginId: number, event: MadeEvent): string {
  return JSON.stringify({ record: 'event', pluginId, ...event });
}

function chartRecord(pluginId: number, chart: MadeChart): string {
  const { chartId, uid, type, position, title, isDefault, settings } = chart;
  const head = { record: 'chart', pluginId, chartId, uid, type, position, title, isDefault };
  return withMembers(head, `"data":${settings}`);
}

/** The data of a chart, a record for each text. */
export function* dataRecords(
  pluginId: number,
  { chartId, data, at }: Pick<MadeChart, 'chartId' | 'data' | 'at'>,
): Generator<string> {
  const time = at === undefined ? '' : `,"at":${at}`;
  for (const text of data) yield withMembers({ record: 'data', pluginId, chartId }, `"data":${text}${time}`);
}

/** The history of a chart, a record for each text. */
export function* historyRecords(
  pluginId: number,
  { chartId, history = [] }: Pick<MadeChart, 'chartId' | 'history'>,
): Generator<string> {
  for (const members of history) yield withMembers({ record: 'history', pluginId, chartId }, members);
}

/** A record with members that are already text, which is not parsed. */
function withMembers(head: object, members: string): string {
  return `${JSON.stringify(head).slice(0, -1)},${members}}`;
}

/** Lines of several charts: the first of each, then the second of each, and so on. */
class Rounds {
  readonly #rounds: string[][] = [];

  add(lines: Iterable<string>): void {
    let round = 0;
    for (const line of lines) {
      this.#rounds[round] ??= [];
      this.#rounds[round++]?.push(line);
    }
  }

  all(): string[] {
    return this.#rounds.flat();
  }
}
