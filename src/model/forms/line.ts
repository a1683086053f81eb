/** Lines: `[[timestamp, value], …]`, the points over time. */
import { type ChartForm, latestForm } from './chart-form.ts';
import { listOf, numberSchema, timestampSchema, tuple } from './schemas.ts';

/** The form of lines. */
export const lineForm: ChartForm = {
  ...latestForm({
    dataSchema: listOf(
      tuple([timestampSchema, numberSchema], 'a pair [timestamp, value]'),
      'an array of [timestamp, value]',
    ),
  }),
  storage: 'points',
};
