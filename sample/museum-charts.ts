// The exhibits of one plugin: a chart of every type, and of every kind that a careless server gets wrong.

import { dailyShareAt, type Point } from '../catalogues/lines.ts';
import { createRandom } from '../catalogues/random.ts';
import type { JsonText } from '../catalogues/records.ts';
import {
  advancedPieSettings,
  barSettings,
  defaultPieSettings,
  lineSettings,
  mapSettings,
  simplePieSettings,
} from '../catalogues/settings.ts';
import type { SamplePlugin } from './catalogue.ts';
import type { SampleChart } from './chart.ts';
import { createLineChart, createPoints, firstTimestampMs, pickMissingSlots } from './lines.ts';

/**
 * Makes the exhibits. They are listed neither by position nor by id, because an archive need not be sorted; a
 * server must list them by position.
 */
export function createMuseumCharts(plugin: SamplePlugin): SampleChart[] {
  return [
    // `12` comes before `7`, and both after the default charts: if ids are keys of a plain object, they come
    // first and in reverse order.
    exhibit(1, '7', 'advanced_pie', 'Rooms with a guard', {
      settings: advancedPieSettings,
      data: '[{"name":"East wing","y":18},{"name":"West wing","y":25},{"name":"Attic","y":0}]',
    }),
    exhibit(0, '12', 'simple_bar', 'Exhibits by room', {
      settings: barSettings('Exhibits', ['Exhibits']),
      data: '[{"name":"Room 12","data":[41]},{"name":"Room 7","data":[9]},{"name":"Cellar","data":[0]}]',
    }),
    // Property names that every plain object has.
    exhibit(3, 'constructor', 'simple_pie', 'Constructor', {
      settings: simplePieSettings,
      data: '[{"name":"toString","y":1},{"name":"mason","y":2},{"name":"architect","y":4}]',
    }),
    exhibit(2, '__proto__', 'simple_pie', 'Prototype', {
      settings: '{"enabled":true,"useRegex":true,"blacklist":true,"filter":["^__proto__$"]}',
      data: '[{"name":"hasOwnProperty","y":1},{"name":"second try","y":3},{"name":"__proto__","y":5}]',
    }),
    { place: 6, ...createLineChart('net_visitors', 'Visitors in minus out', netVisitors(plugin)) },
    { place: 4, ...createLineChart('average_tps', 'Average TPS', averageTps(plugin)) },
    { place: 5, ...createLineChart('doors.opened~today', 'Doors opened', doorsOpened(plugin)) },
    exhibit(7, 'never_reported', 'single_linechart', 'Never reported', {
      settings: lineSettings('never_reported', '{"enabled":true,"maxValue":500,"minValue":-0.5}'),
    }),
    exhibit(8, 'empty_shelf', 'drilldown_pie', 'Empty shelf', { settings: defaultPieSettings }),
    // Two charts share a position: the ids decide, bytewise, so the capital letter is first.
    exhibit(9, 'aquarium', 'simple_bar', 'Aquarium', {
      settings: barSettings('Fish', ['Fish']),
      data: '[{"name":"Cod","data":[12]},{"name":"Salmon","data":[7]},{"name":"Axolotl","data":[2]}]',
    }),
    exhibit(9, 'Zoo', 'advanced_bar', 'Zoo', {
      settings: barSettings('Animals', ['Young', 'Grown', 'Average age']),
      data: '[{"name":"Llama","data":[3,8,4.5]},{"name":"Parrot 🦜","data":[0,5,2.25]},{"name":"Goat","data":[6,1,1]}]',
    }),
    exhibit(10, 'visitor_origin', 'advanced_map', 'Origin of visitors', {
      settings: mapSettings('Visitors'),
      data: '[{"code":"NZ","value":3},{"code":"CI","value":11},{"code":"JP","value":64},{"code":"DE","value":240}]',
    }),
    // Unknown types. Their data is sent unchanged, with its members in this order.
    exhibit(11, 'opening_hours', 'heatmap_calendar', 'Opening hours', {
      settings:
        '{"labels":{"10":"ten","9":"nine","2":"two"},"scale":["closed","open"],"0":"closed","-1":null}',
      data: '{"unit":"hours","days":{"2026-06-30":8,"2026-06-29":0,"2026-06-28":6.5},"31":"last","1":"first"}',
    }),
    exhibit(12, 'guestbook', 'text_wall', 'Guestbook', {
      settings: '{}',
      data: '["Lovely!","第二次来 ❤","<script>alert(\\"no\\")</script>",["reply",true,null,{"b":1,"a":2}]]',
    }),
  ];
}

function exhibit(
  place: number,
  chartId: string,
  type: string,
  title: string,
  { settings, data }: { readonly settings: JsonText; readonly data?: JsonText },
): SampleChart {
  return { chartId, type, title, settings, data: data === undefined ? [] : [data], place };
}

/** Two decimals, never above 20, and lower while many play. */
function averageTps(plugin: SamplePlugin): Point[] {
  const random = createRandom(`${plugin.id}/average_tps`);
  const missingSlots = pickMissingSlots(random, plugin);
  return createPoints(missingSlots, (slot) => {
    const load = 0.1 + 0.06 * dailyShareAt(slot, plugin.peakHour);
    const lag = load + Math.abs(0.05 * random.bell());
    return Math.round((20 - lag) * 100) / 100;
  });
}

/** Whole numbers on both sides of zero: people join until the peak and leave after it. */
function netVisitors(plugin: SamplePlugin): Point[] {
  const random = createRandom(`${plugin.id}/net_visitors`);
  const missingSlots = pickMissingSlots(random, plugin);
  return createPoints(missingSlots, (slot) => {
    const change = dailyShareAt(slot + 1, plugin.peakHour) - dailyShareAt(slot, plugin.peakHour);
    const value = Math.round(120 * change + 6 * random.bell());
    return value === 0 ? 0 : value;
  });
}

/** Points at irregular times, to the millisecond, the latest first. */
function doorsOpened(plugin: SamplePlugin): Point[] {
  const random = createRandom(`${plugin.id}/doors_opened`);
  const points: Point[] = [];
  let timestampMs = firstTimestampMs + 12_345;
  while (points.length < 600) {
    points.unshift([timestampMs, 1 + random.below(40)]);
    // Mostly minutes apart, sometimes half a day.
    timestampMs += 1 + random.below(random.below(8) === 0 ? 43_200_000 : 3_600_000);
  }
  return points;
}
