/** Histories of shares in the forms that other databases take. */
import { type Histories, historiesArchive } from './histories.ts';

/** Some times of one chart, with the values of each share. */
interface HistoryRecord {
  readonly chartId: string;
  readonly times: readonly number[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}

function* historyRecords(histories: Histories): Generator<HistoryRecord> {
  for (const line of historiesArchive(histories))
    if (line.startsWith('{"record":"history"')) yield JSON.parse(line) as HistoryRecord;
}

/** The series as VictoriaMetrics imports them: lines of JSON, a text for each record of the archive. */
export function* victoriaLines(histories: Histories): Generator<string> {
  for (const { chartId, times, series } of historyRecords(histories)) {
    const lines = series.map(({ name, values }) =>
      JSON.stringify({ metric: { __name__: 'share', chart: chartId, name }, values, timestamps: times }),
    );
    yield `${lines.join('\n')}\n`;
  }
}

/** The values as rows of a table with the columns chart, at, name and value, for `copy` of PostgreSQL. */
export function* tableRows(histories: Histories): Generator<string> {
  for (const { chartId, times, series } of historyRecords(histories)) {
    let rows = '';
    for (const [index, time] of times.entries()) {
      const at = new Date(time).toISOString();
      for (const { name, values } of series) rows += `${chartId}\t${at}\t${name}\t${values[index]}\n`;
    }
    yield rows;
  }
}
