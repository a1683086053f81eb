/**
 * Makes elements, whose content is text, never markup, and bars whose buttons arrow keys move among; reads
 * elements.
 */
import type { ChartName } from '../../model/catalogue.ts';
import { linesFields } from '../state/chart-state.ts';
import { accept } from '../state/fields.ts';

/** Creates an element with attributes and children. `undefined` omits an attribute. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Returns the charts that the attributes of a `<plugin-chart>` name: one, or several. */
export function chartsOf(chart: Element): readonly ChartName[] {
  const [plugin, id, charts] = ['plugin', 'chart', 'charts'].map((name) => chart.getAttribute(name));
  return accept(linesFields, new URLSearchParams({ charts: charts ?? `${plugin}:${id}` })).charts;
}

/** Returns the fields of a form as the query that it would send. */
export function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = Array.from(new FormData(form), ([name, value]) => [name, String(value)]);
  return new URLSearchParams(fields);
}

/** Creates a button with its click handler. */
export function button(
  label: string,
  { onClick, ...attributes }: { readonly onClick: () => void } & Readonly<Record<string, unknown>>,
): HTMLButtonElement {
  const texts = Object.entries(attributes).map(([key, value]) => [key, String(value)]);
  const made = element('button', { type: 'button', ...Object.fromEntries(texts) }, label);
  made.addEventListener('click', onClick);
  return made;
}

/**
 * Makes a bar one Tab stop: arrow keys, Home and End move among its links and buttons (ARIA toolbar pattern).
 * @returns a function to call when some of them are shown or hidden
 */
export function moveByArrows(bar: HTMLElement): () => void {
  let current: HTMLElement | undefined;
  const update = () => {
    const items = itemsOf(bar);
    current = items.find((item) => item === current) ?? items[0];
    for (const item of items) item.tabIndex = item === current ? 0 : -1;
  };
  bar.setAttribute('role', 'toolbar');
  bar.addEventListener('focusin', ({ target }) => {
    current = itemsOf(bar).find((item) => item === target) ?? current;
    update();
  });
  bar.addEventListener('keydown', (event) => {
    const items = itemsOf(bar);
    const at = items.indexOf(event.target as HTMLElement);
    const places: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    };
    const place = Object.hasOwn(places, event.key) ? places[event.key] : undefined;
    if (at === -1 || place === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    items.at(place % items.length)?.focus();
    event.preventDefault();
  });
  update();
  return update;
}

function itemsOf(bar: HTMLElement): HTMLElement[] {
  const all = [...bar.querySelectorAll<HTMLElement>('a,button')];
  return all.filter((item) => item.closest('[hidden]') === null);
}
