/** Whether a record that is stored would be let in again. */
import type { MetricsRecord } from '../model/metrics-record.ts';
import { recordJson } from './archive-writer.ts';
import { parseRecord } from './parse-record.ts';

/**
 * A check of records in the order of a store: the data of a chart behind the chart. Points are not looked at.
 * @returns a function that throws AppError `invalid` for a record that breaks a rule.
 */
export function recordChecker(): (record: MetricsRecord) => void {
  let typeName = '';
  return (record) => {
    if (record.kind === 'end') return;
    if (record.kind !== 'data') {
      if (record.kind === 'chart') typeName = record.chart.type;
      parseRecord(Buffer.from(recordJson(record)), record.place);
      return;
    }
    const data = record.dataFor(typeName);
    if (data.storage === 'series') return;
    const { pluginId, chartId } = record;
    const line = `{"record":"data","pluginId":${pluginId},"chartId":${JSON.stringify(chartId)},"data":${data.json}}`;
    const parsed = parseRecord(Buffer.from(line), record.place);
    if (parsed.kind === 'data') parsed.dataFor(typeName);
  };
}
