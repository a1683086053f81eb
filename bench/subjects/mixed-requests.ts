/** Requests as many different clients make them. */
import { type Catalogue, dataPath, linesOf } from '../data/catalogue.ts';
import { createRandom, type Random } from '../data/random.ts';
import { snapshotAt } from '../data/snapshot.ts';

/** One request. */
export interface MixedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** As many requests, in an order without a pattern. */
export function mixedRequests(catalogue: Catalogue, count: number): MixedRequest[] {
  const random = createRandom(15);
  return Array.from({ length: count }, () => ({
    path: path(catalogue, random),
    headers: headers(random),
  }));
}

function path(catalogue: Catalogue, random: Random): string {
  const pluginId = 1 + random.below(catalogue.pluginCount);
  const lines = linesOf(catalogue, pluginId);
  const line = lines[random.below(lines.length)] ?? { pluginId, chartId: 'servers' };
  const share = random.next();
  if (share < 0.35) return dataPath(line);
  if (share < 0.65) return dataPath(line, '?maxElements=1');
  if (share < 0.7) return dataPath(line, `?maxElements=${random.below(2000)}`);
  if (share < 0.72) return dataPath(line, '?maxElements=100000');
  if (share < 0.82) return dataPath({ pluginId, chartId: snapshotId(catalogue, random) });
  if (share < 0.88) return `/api/v1/plugins/${pluginId}`;
  if (share < 0.94) return `/api/v1/plugins/${pluginId}/charts`;
  if (share < 0.97) return `/api/v1/plugins/${pluginId}/charts/${line.chartId}`;
  if (share < 0.98) return `/api/v1/plugins/${pluginId}/charts/no-such-chart/data`;
  if (share < 0.99) return dataPath(line, '?maxElements=many');
  return share < 0.9995 ? '/api/v1/software' : '/api/v1/plugins';
}

function snapshotId(catalogue: Catalogue, random: Random): string {
  return snapshotAt(random.below(catalogue.snapshotsPerPlugin), 0).chartId;
}

function headers(random: Random): Readonly<Record<string, string>> {
  const share = random.next();
  if (share < 0.4) return { 'accept-encoding': 'gzip, deflate, br' };
  if (share < 0.7) return { 'accept-encoding': 'gzip' };
  if (share < 0.75) return { 'accept-encoding': 'gzip', 'if-none-match': '*' };
  return {};
}
