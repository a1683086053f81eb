/** `add chart`: adds a chart of a plugin. */
import { settingsOf } from '../../../collect/default-charts.ts';
import { newChartRecord } from '../../../collect/new-records.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import { chartTypeNameSchema } from '../../../model/chart.ts';
import { chartTypes, formOf } from '../../../model/chart-types.ts';
import { command } from '../../command.ts';
import { printMessage } from '../../output.ts';
import { register } from '../../register.ts';
import { changeSettings, chartArgument, matching, parseName } from '../../settings.ts';

const knownTypes = Object.keys(chartTypes).join(', ');

export const addChart = command({
  summary: 'a chart of a plugin; prints PLUGIN/CHART',
  settings: {
    ...changeSettings,
    type: {
      placeholder: 'TYPE',
      help: `the type; must be given. Known: ${knownTypes}`,
      isRequired: true,
      parse: matching(chartTypeNameSchema),
    },
    title: {
      placeholder: 'TITLE',
      help: 'the title of the chart; must be given',
      isRequired: true,
      parse: parseName,
    },
    lineName: {
      placeholder: 'NAME',
      help: 'the name of the line in a line chart; the title unless given',
      parse: parseName,
    },
  },
  argument: chartArgument,
  async run({ store, type, title, lineName, dryRun }, { pluginId, chartId }, refuse) {
    if (lineName !== undefined && formOf(type) !== 'line')
      refuse(`--line-name is for lines: a ${type} has none`);
    await register({ store, dryRun }, async (view, ids) => {
      const plugin = await view.getPlugin(pluginId);
      let position = 0;
      for await (const charts of view.listCharts(pluginId)) {
        if (charts.some((chart) => chart.chartId === chartId))
          throw new AppError('conflict', `plugin ${pluginId} has a chart ${quote(chartId)} already`);
        position = Math.max(position, ...charts.map((chart) => chart.position + 1));
      }
      const chart = {
        chartId,
        type,
        title,
        settings: settingsOf(type, { title, lineName: lineName ?? title }),
      };
      const name = `${pluginId}/${chartId}`;
      return {
        records: [newChartRecord(pluginId, chart, { uid: ids.chartUid, position, isDefault: false })],
        result: name,
        message: ({ add }) =>
          `${add} chart ${name}, ${quote(title)}, to plugin ${pluginId}, ${quote(plugin.name)}, in ${store.name}`,
      };
    });
    if (!Object.hasOwn(chartTypes, type))
      printMessage(
        `warning: the type ${quote(type)} is not known: reports are not counted for it, and it is not drawn; known are ${knownTypes}`,
      );
  },
});
