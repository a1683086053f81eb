/** Pies: `[{"name": string, "y": number}, …]`. */
import { latestForm } from './chart-form.ts';
import { listOf, numberSchema, record, shareTextSchema } from './schemas.ts';
import { entriesIn, shareIn } from './share-values.ts';

/** The form of pies. */
export const pieForm = latestForm({
  dataSchema: listOf(
    record({ name: shareTextSchema, y: numberSchema }),
    'an array of {"name": string, "y": number}',
  ),
  shares: {
    isGrouped: false,
    parse: (data) => entriesIn(data).flatMap(({ name, y }) => shareIn(null, name, y)),
    render: (shares) => shares.map(([{ name }, y]) => ({ name, y })),
    rows: (shares) => [['name', 'value'], ...shares.map(([{ name }, value]) => [name, value])],
  },
});
