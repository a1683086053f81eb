/**
 * `/embed.js`: defines `<plugin-chart>`. If a page loads the script of several servers, the first one wins.
 */
import { PluginChartElement } from './element/plugin-chart.ts';

if (customElements.get('plugin-chart') === undefined)
  customElements.define('plugin-chart', PluginChartElement);
