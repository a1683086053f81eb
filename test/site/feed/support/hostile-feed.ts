/** A site with a plugin whose feeds have entries of every kind, with hostile names everywhere. */
import { makeStore } from '../../../http/support/test-server.ts';
import { hostileNames } from '../../../support/hostile-names.ts';
import {
  chartRecord,
  dataRecord,
  historyRecord,
  pluginRecord,
  softwareRecord,
} from '../../../support/records.ts';
import { type SiteClient, serveSite } from '../../pages/support/site-client.ts';

const dayMs = 86_400_000;

/** A Monday. */
export const start = Date.UTC(2026, 5, 1);

/** The titles of the events, the oldest first. */
export const titles: readonly string[] = [...hostileNames, 'not in XML: \uffff\ufffe', '1.1-<b>&amp;'];

const [name = '', owner = ''] = hostileNames;

/** Every half hour of 31 days. */
const times = Array.from({ length: 31 * 48 }, (_, slot) => start + (slot * dayMs) / 48);

/** Serves the plugin as number 7; two calls serve two stores with the same data. */
export async function serveHostileFeed(publicUrl?: string): Promise<SiteClient> {
  const ofSeven = { pluginId: 7 };
  const store = await makeStore([
    softwareRecord({ url: 's' }),
    pluginRecord(7, name, { owner: { id: 2, name: owner } }),
    pluginRecord(8, 'Without anything'),
    pluginRecord(9, 'Only an event'),
    chartRecord('servers', 1, ofSeven),
    chartRecord('pluginVersion', 2, { ...ofSeven, type: 'simple_pie', title: name }),
    dataRecord(
      'servers',
      times.map((time, slot) => [time, slot < 1000 ? slot : 5]),
      ofSeven,
    ),
    {
      ...historyRecord(
        'pluginVersion',
        times.filter((_, slot) => slot % 48 === 0),
        [
          { name: '1.0', values: Array.from({ length: 31 }, (_, day) => (day < 20 ? 30 : 10)) },
          { name: '1.1-<b>&amp;', values: Array.from({ length: 31 }, (_, day) => (day < 20 ? 10 : 30)) },
        ],
      ),
      ...ofSeven,
    },
    ...titles.map((title, index) => ({
      record: 'event',
      ...ofSeven,
      time: start + index,
      title,
      url: index % 2 === 0 ? `https://example.org/?a="'<b>&x=${index}` : null,
    })),
    { record: 'event', pluginId: 9, time: start, title: 'First', url: null },
  ]);
  return serveSite(store, publicUrl === undefined ? {} : { publicUrl });
}

/** Reads a feed of a plugin, by way of the redirect from other names. */
export async function readFeed(site: SiteClient, pluginId: number, format: 'atom' | 'json', base = '') {
  const { headers } = await site.get(`/plugin/x/y/${pluginId}/feed.${format}`);
  return site.get((headers.get('location') ?? '').replace(base, ''));
}
