/** The Embed dialog: a form, a preview, and the code to copy. Loaded when it is first opened. */
import { chartNamesText } from '../../model/catalogue.ts';
import { rangeNames } from '../../model/window.ts';
import {
  chartFields,
  chartViewLabels,
  elementFields,
  groupLabels,
  linesFields,
  unitLabels,
  viewLabels,
} from '../state/chart-state.ts';
import { accept } from '../state/fields.ts';
import { lookFields } from '../state/pictures.ts';
import { shareTest } from '../state/share-filter.ts';
import { button, chartsOf, element, fieldsOf } from './elements.ts';
import { pageLinks } from './page-links.ts';
import { type EmbedChoice, isOfThisComputer, isSum, snippetsFor } from './snippets.ts';

const sizes: Readonly<Record<string, Pick<EmbedChoice, 'width' | 'height'>>> = {
  Small: { width: 400, height: 200 },
  Medium: { width: 800, height: 300 },
  Large: { width: 1200, height: 400 },
};

/** Rows of radio buttons, except the formats: field name, legend, and labels of the values. */
const rows: ReadonlyArray<readonly [name: string, legend: string, labels: Readonly<Record<string, string>>]> =
  [
    ['picture', 'Picture', { chart: 'This chart', overview: 'Servers and players' }],
    ['theme', 'Theme', { auto: 'Auto', light: 'Light', dark: 'Dark', transparent: 'Transparent' }],
    ['size', 'Size', named(Object.keys(sizes))],
    ['view', 'View', viewLabels],
    ['unit', 'Unit', unitLabels],
    ['group', 'Versions', groupLabels],
    ['previous', 'Period before', { false: 'Not shown', true: 'As a pale line' }],
    ['range', 'Range', { ...named(rangeNames), all: 'All' }],
  ];

function named(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value) => [value, value]));
}

/** Last chosen format, preselected for the next chart. */
let lastFormat = 'Markdown';

/** Returns the choice that matches what the page shows near the button. */
function choiceOf(opener: HTMLButtonElement): EmbedChoice {
  const { chart: chartId = '', form, title = '' } = opener.dataset;
  const selector = form === undefined ? '[charts]' : `[chart="${CSS.escape(chartId)}"]`;
  const chart = opener.closest('.chart')?.querySelector('plugin-chart') ?? document.querySelector(selector);
  const attributes = new URLSearchParams(
    Array.from(chart?.attributes ?? [], ({ name, value }) => [name, value]),
  );
  const charts = chart === null ? [] : chartsOf(chart);
  const isShown = shareTest(accept(elementFields, attributes).filter);
  return {
    server: pageLinks.server,
    pagePath: pageLinks.targetOf(location.pathname),
    subject:
      form === undefined
        ? {
            ...{ kind: 'lines', ...accept(linesFields, attributes) },
            charts: charts.filter((line) => isShown(chartNamesText([line]))),
          }
        : { kind: 'chart', charts, form },
    ...accept(lookFields.svg, new URLSearchParams()),
    title,
    label: '',
    ...accept(chartFields, attributes),
  };
}

/** Returns the choice of the overview picture; undefined if the page has neither chart of it. */
function overviewOf({ subject }: EmbedChoice): Pick<EmbedChoice, 'subject' | 'title'> | undefined {
  const buttons = document.querySelector('button[data-chart="servers"], button[data-chart="players"]');
  if (subject.kind !== 'chart' || buttons === null) return undefined;
  const [chart, ...others] = subject.charts;
  if (chart === undefined || others.length > 0) return undefined;
  const title = document.querySelector('h1')?.textContent ?? '';
  return { subject: { kind: 'overview', pluginId: chart.pluginId }, title };
}

/**
 * Opens the dialog for the chart of a button; the browser returns the focus to the button when the dialog
 * closes.
 */
export function openEmbedDialog(opener: HTMLButtonElement): void {
  const own = choiceOf(opener);
  const overview = overviewOf(own);
  const preview = element('img', { class: 'preview', alt: 'Preview' });
  const hint = element('p', { class: 'hint' });
  const code = element('pre', { class: 'code' });
  const said = element('p', { class: 'said', role: 'status' });
  const title = element('span', { dir: 'auto' });
  const label = element('input', {
    type: 'text',
    class: 'field',
    name: 'label',
    maxlength: '100',
    'aria-label': 'Label',
  });
  // The page does not say which charts are of versions; titles do.
  const hasLadder = /version/i.test(own.title) && !isSum(own.subject);
  const formats = named(snippetsFor(own).map(({ name }) => name));
  const form = element(
    'form',
    {},
    fieldset('format', 'Format', radios('format', formats)),
    element('div', { class: 'frame' }, preview),
    element(
      'div',
      { class: 'options' },
      ...rows.map(([name, legend, labels]) =>
        fieldset(name, legend, radios(name, name === 'view' && hasLadder ? chartViewLabels : labels)),
      ),
      fieldset('label', 'Label', label),
    ),
  );
  const { window, view, unit, group, previous } = own;
  const range = typeof window === 'string' ? window : '';
  const state = { view, unit, group, previous, range };
  const isOverview = overview !== undefined && opener.dataset['embed'] === 'overview';
  if (isOverview) state.range = '7d';
  const first = {
    picture: isOverview ? 'overview' : 'chart',
    theme: 'auto',
    size: 'Medium',
    format: lastFormat,
    ...state,
  };
  for (const [name, value] of Object.entries(first)) choose(name, value);

  const dialog = element(
    'dialog',
    { class: 'embed', 'aria-labelledby': 'embed-title' },
    element(
      'header',
      {},
      element('h2', { id: 'embed-title' }, 'Embed ', title),
      button('Close', { class: 'close', onClick: () => dialog.close() }),
    ),
    form,
    hint,
    code,
    element(
      'footer',
      {},
      button('Copy', { class: 'button primary', autofocus: '', onClick: () => void copy() }),
      said,
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  // Closes the dialog on a click outside it.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'picture')
      choose('range', target.value === 'overview' ? '7d' : range);
    show();
  });
  show();
  document.body.append(dialog);
  dialog.showModal();

  function choose(name: string, value: string): void {
    const chosen = form.elements.namedItem(name);
    if (chosen instanceof RadioNodeList) chosen.value = value;
  }

  /** Shows the code for the current choice, and the fields that affect it. */
  function show(): void {
    const chosen = fieldsOf(form);
    const shown = accept(chartFields, chosen);
    const all = {
      ...own,
      ...shown,
      // If no range is chosen, the window between the two dates of the page is used.
      window: chosen.has('range') ? shown.window : own.window,
      theme: accept(lookFields.svg, chosen).theme,
      ...sizes[chosen.get('size') ?? ''],
      label: label.value,
      ...(chosen.get('picture') === 'overview' ? overview : {}),
    };
    title.textContent = all.title;
    const snippets = snippetsFor(all);
    lastFormat = chosen.get('format') ?? lastFormat;
    const snippet = snippets.find(({ name }) => name === lastFormat) ?? snippets[0];
    if (snippet === undefined) return;
    choose('format', snippet.name);
    for (const radio of form.querySelectorAll<HTMLInputElement>('[name=format]'))
      radio.closest('label')?.toggleAttribute('hidden', !snippets.some(({ name }) => name === radio.value));
    const offered = [...snippet.fields, 'format', ...(overview === undefined ? [] : ['picture'])];
    for (const field of form.querySelectorAll<HTMLElement>('fieldset'))
      field.hidden = !offered.includes(field.dataset['field'] ?? '');
    code.textContent = snippet.text;
    hint.textContent = isOfThisComputer(own.server)
      ? `${snippet.hint}. The address leads to this computer alone: the option --public-url of the server sets another.`
      : snippet.hint;
    said.textContent = '';
    preview.src = location.origin + pageLinks.to(snippet.previewUrl.slice(own.server.length));
    preview.classList.toggle('small', snippet.name === 'Badge');
  }

  async function copy(): Promise<void> {
    getSelection()?.selectAllChildren(code);
    // Browsers provide the clipboard API only for pages from HTTPS or from this computer.
    const isCopied = await navigator.clipboard?.writeText(code.textContent).then(
      () => true,
      () => false,
    );
    said.textContent = isCopied || document.execCommand('copy') ? 'Copied' : 'Press Ctrl+C or ⌘C to copy';
  }
}

function fieldset(field: string, legend: string, content: HTMLElement): HTMLElement {
  return element('fieldset', { 'data-field': field }, element('legend', {}, legend), content);
}

function radios(name: string, labels: Readonly<Record<string, string>>): HTMLElement {
  const choices = Object.entries(labels).map(([value, label]) =>
    element('label', {}, element('input', { type: 'radio', name, value }), element('span', {}, label)),
  );
  return element('div', { class: 'choices' }, ...choices);
}
