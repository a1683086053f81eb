/** The table of the forms of chart data, each of which has a file in forms/. */
import { type DataForm, formOf } from './chart-types.ts';
import { barsForm } from './forms/bars.ts';
import { type ChartForm, latestForm } from './forms/chart-form.ts';
import { drilldownForm } from './forms/drilldown.ts';
import { lineForm } from './forms/line.ts';
import { mapForm } from './forms/map.ts';
import { pieForm } from './forms/pie.ts';

/** The forms by name. */
export const chartForms: Readonly<Record<DataForm, ChartForm>> = {
  line: lineForm,
  pie: pieForm,
  drilldown: drilldownForm,
  map: mapForm,
  bars: barsForm,
  other: latestForm({ dataSchema: { type: ['array', 'object'], description: 'an array or an object' } }),
};

/** Returns the form of a chart type. */
export function shapeOf(typeName: string): ChartForm {
  return chartForms[formOf(typeName)];
}

/** Returns the storage of a chart type. */
export function storageOf(typeName: string): ChartForm['storage'] {
  return shapeOf(typeName).storage;
}
