/** The headers of every response. */
import assert from 'node:assert/strict';
import type { Answer } from './validated-client.ts';

const common: Readonly<Record<string, RegExp>> = {
  'access-control-allow-origin': /^\*$/,
  'access-control-expose-headers': /(?:^|, )ETag(?:,|$)/,
  'cross-origin-resource-policy': /^cross-origin$/,
  'timing-allow-origin': /^\*$/,
  'x-content-type-options': /^nosniff$/,
  date: /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
};

/** Throws unless the response has the headers that every response has, and none that are forbidden. */
export function checkCommonHeaders({ headers }: Answer): void {
  for (const [name, pattern] of Object.entries(common)) assert.match(headers.get(name) ?? '', pattern, name);
  for (const name of ['access-control-allow-credentials', 'set-cookie', 'server', 'x-powered-by', 'location'])
    assert.equal(headers.get(name), undefined, name);
}
