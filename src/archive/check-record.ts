/** Checks that an import would accept a stored record. */
import { AppError } from '../model/app-error.ts';
import type { JsonText } from '../model/json-text.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { dataJson, recordJson } from '../model/record-json.ts';
import { parseRecord } from './parse-record.ts';

/**
 * Makes a checker for records in the order of a store: a chart before its data. It does not check points.
 * @returns a function that throws AppError `invalid` if a record breaks a rule.
 */
export function recordChecker(): (record: MetricsRecord) => void {
  let typeName = '';
  return (record) => {
    // The store checks histories itself, chunk by chunk.
    if (record.kind === 'end' || record.kind === 'archive' || record.kind === 'history') return;
    if (record.kind !== 'data') {
      if (record.kind === 'chart') typeName = record.chart.type;
      const parsed = parseRecord(Buffer.from(recordJson(record)), record.place);
      if (record.kind === 'chart' && parsed.kind === 'chart')
        refuseLoose(record.chart.data, parsed.chart.data);
      return;
    }
    const data = record.dataFor(typeName);
    if (data.storage === 'points') return;
    const line = dataJson(record, { json: data.json, at: record.at });
    const parsed = parseRecord(Buffer.from(line), record.place);
    if (parsed.kind !== 'data') return;
    const parsedData = parsed.dataFor(typeName);
    if (parsedData.storage === 'latest') refuseLoose(data.json, parsedData.json);
  };
}

/** Refuses white space between JSON tokens: a line feed there would split a line of the export. */
function refuseLoose(stored: JsonText, compact: JsonText): void {
  if (stored !== compact)
    throw new AppError('invalid', 'there is white space between the tokens of its data');
}
