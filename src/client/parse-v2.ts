/** Parses answers of `/api/v2` into the types of types-v2.ts. */
import { formOf } from '../model/chart-types.ts';
import type { ServerAnswer } from './http.ts';
import { type JsonPlace, parseBody } from './json-place.ts';
import { parseDataAt } from './parse-chart-data.ts';
import type { PluginNow, PluginPage, SeriesSet } from './types-v2.ts';

/** The page behind the cursor `after`. */
export function parsePluginPage(answer: ServerAnswer, after: string | undefined): PluginPage {
  const page = parseBody(answer);
  page.member('total').integer();
  const next = page.member('next').orNull();
  // Or the pages would never end.
  if (next?.string() === after) next?.fail('another cursor than that of this page');
  for (const plugin of page.member('plugins').elements()) {
    checkHead(plugin);
    checkPoint(plugin.member('servers'));
    checkPoint(plugin.member('players'));
  }
  return page.value as PluginPage;
}

/** A plugin with everything that is known of it now. */
export function parsePluginNow(answer: ServerAnswer): PluginNow {
  const plugin = parseBody(answer);
  checkHead(plugin);
  for (const chart of plugin.member('charts').elements()) checkChartNow(chart);
  for (const event of plugin.member('events').elements()) {
    event.member('time').integer();
    event.member('title').string();
    event.member('url').orNull()?.string();
  }
  return plugin.value as PluginNow;
}

/** Series over the same times. */
export function parseSeriesSet(answer: ServerAnswer): SeriesSet {
  const set = parseBody(answer);
  set.member('from').integer();
  set.member('to').integer();
  set.member('step').orNull()?.integer();
  set.member('aggregate').orNull()?.string();
  const times = set.member('times').array();
  const isNext = (time: unknown, index: number) =>
    Number.isSafeInteger(time) && (index === 0 || (time as number) > (times[index - 1] as number));
  set.member('times').every(isNext, 'an integer, and later than the time before it');
  for (const series of set.member('series').elements()) {
    series.member('name').string();
    if (!checkMark(series.member('isSum'))) {
      series.member('pluginId').integer();
      series.member('chartId').string();
    }
    checkMark(series.member('isOther'));
    const group = series.member('group');
    if (group.value !== undefined) group.string();
    const values = series.member('values');
    if (values.array().length !== times.length) values.fail('an array with a value for each time');
    values.every((value) => value === null || typeof value === 'number', 'a number or null');
  }
  return set.value as SeriesSet;
}

function checkHead(plugin: JsonPlace): void {
  plugin.member('id').integer();
  plugin.member('name').string();
  for (const part of ['owner', 'software']) {
    plugin.member(part).member('id').integer();
    plugin.member(part).member('name').string();
  }
  plugin.member('software').member('url').string();
  plugin.member('isGlobal').boolean();
}

function checkChartNow(chart: JsonPlace): void {
  chart.member('chartId').string();
  chart.member('uid').integer();
  chart.member('position').integer();
  chart.member('title').string();
  chart.member('isDefault').boolean();
  chart.member('settings').object();
  chart.member('first').orNull()?.integer();
  chart.member('last').orNull()?.integer();
  const type = chart.member('type').string();
  const latest = chart.member('latest');
  if (formOf(type) === 'line') checkPoint(latest);
  else parseDataAt(latest, type);
}

/** Accepts a point `[timestamp, value]`, or null. */
function checkPoint(place: JsonPlace): void {
  if (place.value === null) return;
  if (place.array().length !== 2) place.fail('a pair [timestamp, value]');
  place.element(0).integer();
  place.element(1).number();
}

/** Returns true for true, and false for nothing. */
function checkMark(place: JsonPlace): boolean {
  if (place.value === undefined) return false;
  if (place.value !== true) place.fail('true, or left out');
  return true;
}
