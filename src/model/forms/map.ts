/** Maps of countries: `[{"code": string, "value": number}, …]`. */
import { latestForm } from './chart-form.ts';
import { listOf, numberSchema, record } from './schemas.ts';
import { entriesIn, shareIn } from './share-values.ts';

const countrySchema = {
  type: 'string',
  pattern: '^[A-Z]{2}$',
  description: 'a country code of two capital letters (ISO 3166-1)',
} as const;

let regions: Intl.DisplayNames | undefined;

/** The English name of a country by its code (ISO 3166-1 alpha-2); an unknown code stays as it is. */
function countryName(code: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return code;
  const region = code.toUpperCase();
  // Unicode says "Unknown Region". Servers send it for a place that they could not tell.
  if (region === 'ZZ') return 'Unknown';
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  return regions.of(region) ?? code;
}

/** The form of maps. */
export const mapForm = latestForm({
  dataSchema: listOf(
    record({ code: countrySchema, value: numberSchema }),
    'an array of {"code": string, "value": number}',
  ),
  shareNameSchema: countrySchema,
  shares: {
    isGrouped: false,
    parse: (data) => entriesIn(data).flatMap(({ code, value }) => shareIn(null, code, value)),
    render: (shares) => shares.map(([{ name }, value]) => ({ code: name, value })),
    nameOf: countryName,
    rows: (shares) => [
      ['code', 'country', 'value'],
      ...shares.map(([{ name }, value]) => [name, countryName(name), value]),
    ],
  },
});
