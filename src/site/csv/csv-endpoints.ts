/** `/plugin/{softwareUrl}/{pluginName}/{pluginId}/{chartId}.csv`: the data of one chart as CSV. The id identifies the plugin. */

import { type Endpoint, Redirect } from '../../http/endpoint.ts';
import { parseChartId } from '../../model/chart.ts';
import { parsePluginId } from '../../model/identifier.ts';
import { splitFileName } from '../address/file-name.ts';
import { csvPath, nameSegment, withQuery } from '../address/paths.ts';
import { parse, write } from '../state/fields.ts';
import { csvFields } from '../state/page-state.ts';
import { loadCsvContent, renderCsv } from './chart-csv.ts';

/** RFC 4180 3: the first row names the columns. */
const csvMediaType = 'text/csv; charset=utf-8; header=present';

/** The data of a chart. */
export const csvEndpoint: Endpoint = {
  path: '/plugin/{softwareUrl}/{pluginName}/{pluginId}/{file}',
  ask: (request) => {
    const { stem } = splitFileName(request, ['csv']);
    const chartId = parseChartId(stem);
    const pluginId = parsePluginId(request.params['pluginId']);
    const state = parse(csvFields, request.searchParams);
    const query = write(csvFields, state);
    const { softwareUrl = '', pluginName = '' } = request.params;
    const path = `/plugin/${encodeURIComponent(softwareUrl)}/${encodeURIComponent(pluginName)}/${pluginId}/${chartId}.csv`;
    return {
      key: withQuery(path, query),
      mediaType: csvMediaType,
      source: 'data',
      headers: ['Content-Disposition', 'attachment'],
      size: 'large',
      async *parts(reader) {
        const wanted = { ...state, pluginId, chartId };
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
