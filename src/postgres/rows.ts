/** Rows of the tables as what they stand for. The tables vouch for the types of the columns. */
import type { Chart } from '../model/chart.ts';
import { trustedJson } from '../model/json-text.ts';

/** The columns of a chart, as every statement here names them. */
export interface ChartRow {
  readonly uid: number;
  readonly chart_id: string;
  readonly type: string;
  readonly position: number;
  readonly title: string;
  readonly is_default: boolean;
  readonly settings: string;
}

/** A row as a chart. */
export function chartOf(row: ChartRow): Chart {
  return {
    chartId: row.chart_id,
    uid: row.uid,
    type: row.type,
    position: row.position,
    title: row.title,
    isDefault: row.is_default,
    data: trustedJson(row.settings),
  };
}
