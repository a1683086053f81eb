/** What the check of a store says about a record that an import would refuse. */
import { AppError } from '../model/app-error.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';

/**
 * The fault of a record, in words and with the record named; undefined for a good one.
 * @param checkRecord throws AppError for a record that an import would refuse.
 */
export function recordFault(
  record: MetricsRecord,
  checkRecord: (record: MetricsRecord) => void,
): string | undefined {
  try {
    checkRecord(record);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${nameOf(record)}: ${error.message}`;
  }
}

function nameOf(record: MetricsRecord): string {
  switch (record.kind) {
    case 'software':
      return `software ${record.software.id}`;
    case 'plugin':
      return `plugin ${record.plugin.id}`;
    case 'chart':
      return `plugin ${record.pluginId}, chart ${record.chart.chartId}`;
    case 'data':
      return `plugin ${record.pluginId}, data of chart ${record.chartId}`;
    case 'end':
      return 'end';
  }
}
