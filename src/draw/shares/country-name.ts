/** English names of countries. */

let regions: Intl.DisplayNames | undefined;

/** The English name of a country by its code (ISO 3166-1 alpha-2); an unknown code stays as it is. */
export function countryName(code: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return code;
  const region = code.toUpperCase();
  // Unicode says "Unknown Region". Servers send it for a place that they could not tell.
  if (region === 'ZZ') return 'Unknown';
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  return regions.of(region) ?? code;
}
