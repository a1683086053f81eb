/** `/plugin/{softwareUrl}/{pluginName}/{pluginId}/{chartId}.csv`: the data of one chart as CSV. The id identifies the plugin. */

import { type Endpoint, Redirect } from '../../http/endpoint.ts';
import { parseChartId } from '../../model/chart.ts';
import { parsePluginId } from '../../model/identifier.ts';
import { splitFileName } from '../address/file-name.ts';
import { csvPath, encodeStrictly, nameSegment, withQuery } from '../address/paths.ts';
import { loadOnce } from '../load-once.ts';
import { parseCsvQuery } from '../query/parse-csv-query.ts';
import { csvQuery } from '../state/csv-query.ts';

/** RFC 4180 3: the first row names the columns. */
const csvMediaType = 'text/csv; charset=utf-8; header=present';

const loadCsv = loadOnce(() => import('./chart-csv.ts'));

/** The data of a chart. */
export const csvEndpoint: Endpoint = {
  path: '/plugin/{softwareUrl}/{pluginName}/{pluginId}/{file}',
  ask: (request) => {
    const { stem } = splitFileName(request, ['csv']);
    const chartId = parseChartId(stem);
    const pluginId = parsePluginId(request.params['pluginId']);
    const state = parseCsvQuery(request.searchParams);
    const query = csvQuery(state);
    const { softwareUrl = '', pluginName = '' } = request.params;
    const path = `/plugin/${encodeURIComponent(softwareUrl)}/${encodeURIComponent(pluginName)}/${pluginId}/${chartId}.csv`;
    return {
      key: withQuery(path, query),
      mediaType: csvMediaType,
      source: 'data',
      headers: [
        'Content-Disposition',
        attachment(`${pluginName} ${chartId}.csv`, `${pluginId}-${chartId}.csv`),
      ],
      size: 'large',
      async *parts(reader) {
        const { renderCsv, loadCsvContent } = await loadCsv();
        const wanted = { ...state, pluginId, chartId, range: state.window };
        const content = await reader.read((view) => loadCsvContent(view, wanted));
        const { plugin } = content;
        if (plugin.software.url !== softwareUrl || nameSegment(plugin.name) !== pluginName) {
          yield new Redirect(withQuery(csvPath(plugin, chartId), query));
          return;
        }
        yield* renderCsv(content);
      },
    };
  },
};

/** The header with the full name, and an ASCII one for old clients (RFC 6266). */
function attachment(name: string, plainName: string): string {
  const encoded = encodeStrictly(name.replaceAll(/[/\\:*?"<>|]/g, '-'));
  return `attachment; filename="${plainName}"; filename*=UTF-8''${encoded}`;
}
