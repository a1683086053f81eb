/** Parses answers about software, plugins and charts into the types of types.ts, which names the differences between servers. */
import type { ServerAnswer } from './http.ts';
import { type JsonPlace, parseBody } from './json-place.ts';
import type { Chart, ChartRegistry, Plugin, PluginSummary, Software } from './types.ts';

/** The plugin list. */
export function parsePluginList(answer: ServerAnswer): readonly PluginSummary[] {
  const places = parseBody(answer).elements();
  for (const place of places) {
    checkPlugin(place);
    checkReference(place.member('software'));
    place.member('isGlobal').boolean();
  }
  return places.map(({ value }) => value as PluginSummary);
}

/** One plugin with its charts. */
export function parsePlugin(answer: ServerAnswer): Plugin {
  const place = parseBody(answer);
  checkPlugin(place);
  checkRegistry(place.member('charts'));
  return place.value as Plugin;
}

/** The charts of a plugin. */
export function parseRegistry(answer: ServerAnswer): ChartRegistry {
  const place = parseBody(answer);
  checkRegistry(place);
  return place.value as ChartRegistry;
}

/** One chart. */
export function parseChart(answer: ServerAnswer): Chart {
  const place = parseBody(answer);
  checkChart(place);
  return place.value as Chart;
}

/** The software list. */
export function parseSoftwareList(answer: ServerAnswer): readonly Software[] {
  return parseBody(answer)
    .elements()
    .map((place) => {
      checkReference(place);
      place.member('name').string();
      place.member('url').string();
      return {
        ...place.object(),
        globalPlugin: parseGlobalPlugin(place.member('globalPlugin')),
      } as Software;
    });
}

function checkPlugin(place: JsonPlace): void {
  place.member('id').integer();
  place.member('name').string();
  const owner = place.member('owner');
  owner.member('name').string();
  const id = owner.member('id');
  if (id.value !== undefined) id.integer();
}

function checkReference(place: JsonPlace): void {
  place.member('id').integer();
  for (const field of [place.member('name'), place.member('url')])
    if (field.value !== undefined) field.string();
}

function checkRegistry(place: JsonPlace): void {
  for (const chart of place.members()) checkChart(chart);
}

function checkChart(place: JsonPlace): void {
  place.member('uid').integer();
  place.member('type').string();
  place.member('position').integer();
  place.member('title').string();
  place.member('isDefault').boolean();
}

/** An object, a number, a string of digits, or `""`, null or nothing for none. */
function parseGlobalPlugin(place: JsonPlace): Software['globalPlugin'] {
  const { value } = place;
  if (value === '' || value === null || value === undefined) return null;
  if (typeof value === 'string' && /^\d+$/.test(value)) return { id: Number(value) };
  if (typeof value === 'number') return { id: place.integer() };
  checkReference(place);
  return value as Software['globalPlugin'];
}
