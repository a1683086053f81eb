/** `/embed-dialog.js`: the Embed dialog, with a preview, a form, and the code to copy. It is loaded when a button first opens it. */
import { chartNamesText } from '../../model/chart.ts';
import { rangeNames } from '../../model/window.ts';
import { linesFields } from '../state/compare-query.ts';
import { accept } from '../state/fields.ts';
import { chartFields, elementFields } from '../state/page-state.ts';
import { lookFields } from '../state/pictures.ts';
import { shareTest } from '../state/share-filter.ts';
import { button, element, fieldsOf } from './elements.ts';
import { type EmbedChoice, type EmbedSubject, snippetsFor } from './snippets.ts';

const sizes: Readonly<Record<string, Pick<EmbedChoice, 'width' | 'height'>>> = {
  Small: { width: 400, height: 200 },
  Medium: { width: 800, height: 300 },
  Large: { width: 1200, height: 400 },
};

/** Values of a field with their labels. */
type Labels = Readonly<Record<string, string>>;

/** The rows of radio buttons, by the name of their field. */
const rows: Readonly<Record<string, { readonly legend: string; readonly labels: Labels }>> = {
  picture: { legend: 'Picture', labels: { chart: 'This chart', overview: 'Servers and players' } },
  theme: {
    legend: 'Theme',
    labels: { auto: 'Auto', light: 'Light', dark: 'Dark', transparent: 'Transparent' },
  },
  size: { legend: 'Size', labels: named(Object.keys(sizes)) },
  view: { legend: 'View', labels: { now: 'Now', history: 'Over time' } },
  unit: { legend: 'Unit', labels: { percent: 'Per cent', count: 'Counts' } },
  range: { legend: 'Range', labels: { ...named(rangeNames), all: 'All' } },
};

function named(values: readonly string[]): Labels {
  return Object.fromEntries(values.map((value) => [value, value]));
}

/** The format that was chosen last is chosen again for the next chart. */
let lastFormat = 'Markdown';

/** The choice that shows what the page shows beside the button. */
function choiceOf({ dataset }: HTMLButtonElement): EmbedChoice {
  const { origin, pathname, search } = location;
  const { plugin, chart: chartId = '', form = '', title = '', charts } = dataset;
  const isChart = charts === undefined;
  const chart = document.querySelector(isChart ? `[chart="${CSS.escape(chartId)}"]` : '[charts]');
  const attributes = new URLSearchParams(
    Array.from(chart?.attributes ?? [], ({ name, value }) => [name, value]),
  );
  const lines = accept(linesFields, attributes);
  const isShown = shareTest(accept(elementFields, attributes).filter);
  return {
    origin,
    pageUrl: origin + pathname + (isChart ? `#${chartId}` : search),
    subject: isChart
      ? { kind: 'chart', pluginId: Number(plugin), chartId, form }
      : { kind: 'lines', ...lines, charts: lines.charts.filter((line) => isShown(chartNamesText([line]))) },
    ...accept(lookFields.svg, new URLSearchParams()),
    title,
    label: '',
    ...accept(chartFields, attributes),
  };
}

/** Opens the dialog for the chart of a button; the browser moves the focus back to the button when it closes. */
export function openEmbedDialog(opener: HTMLButtonElement): void {
  const own = choiceOf(opener);
  const overview = overviewIn(own.subject);
  const preview = element('img', { class: 'preview', alt: 'Preview' });
  const hint = element('p', { class: 'hint', id: 'embed-hint' });
  const code = element('textarea', {
    readonly: '',
    rows: '6',
    spellcheck: 'false',
    'aria-label': 'Code',
    'aria-describedby': 'embed-hint',
  });
  const said = element('p', { class: 'said', role: 'status' });
  const copy = button('Copy', { class: 'copy', autofocus: '', onClick: () => void onCopy() });
  const label = element('input', {
    type: 'text',
    class: 'field',
    name: 'label',
    maxlength: '100',
    'aria-label': 'Label',
  });
  const formats = named(snippetsFor(own).map(({ name }) => name));
  const form = element(
    'form',
    {},
    element(
      'div',
      { class: 'options' },
      ...Object.entries(rows).map(([name, { legend, labels }]) =>
        fieldset(name, legend, radios(name, labels)),
      ),
      fieldset('label', 'Label', label),
    ),
    fieldset('format', 'Format', radios('format', formats)),
  );
  const { window, view, unit } = own;
  const range = typeof window === 'string' ? window : '';
  const first = { picture: 'chart', theme: 'auto', size: 'Medium', view, unit, range, format: lastFormat };
  for (const [name, value] of Object.entries(first)) choose(name, value);

  const dialog = element(
    'dialog',
    { class: 'embed', 'aria-labelledby': 'embed-title' },
    element(
      'header',
      {},
      element('h2', { id: 'embed-title' }, 'Embed ', element('span', { dir: 'auto' }, own.title)),
      button('Close', { class: 'close', onClick: () => dialog.close() }),
    ),
    element('div', { class: 'frame' }, preview),
    form,
    hint,
    code,
    element('footer', {}, copy, said),
  );
  dialog.addEventListener('close', () => dialog.remove());
  // A click beside the dialog closes it.
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

  /** Shows the code for what is chosen, and the fields that have an effect on it. */
  function show(): void {
    const chosen = fieldsOf(form);
    const shown = accept(chartFields, chosen);
    const isOverview = overview !== undefined && chosen.get('picture') === 'overview';
    const choice: EmbedChoice = {
      ...own,
      ...shown,
      // No range is chosen for two dates of the page.
      window: chosen.has('range') ? shown.window : own.window,
      theme: accept(lookFields.svg, chosen).theme,
      ...sizes[chosen.get('size') ?? ''],
      label: label.value,
      ...(isOverview ? overview : {}),
    };
    const snippets = snippetsFor(choice);
    lastFormat = chosen.get('format') ?? lastFormat;
    const snippet = snippets.find(({ name }) => name === lastFormat) ?? snippets[0];
    if (snippet === undefined) return;
    choose('format', snippet.name);
    for (const radio of form.querySelectorAll<HTMLInputElement>('[name=format]'))
      if (radio.parentElement)
        radio.parentElement.hidden = !snippets.some(({ name }) => name === radio.value);
    const offered = [...snippet.fields, 'format', ...(overview === undefined ? [] : ['picture'])];
    for (const field of form.querySelectorAll<HTMLElement>('fieldset'))
      field.hidden = !offered.includes(field.dataset['field'] ?? '');
    code.value = snippet.text;
    hint.textContent = snippet.hint;
    said.textContent = '';
    preview.src = snippet.previewUrl;
    preview.classList.toggle('small', snippet.name === 'Badge');
  }

  async function onCopy(): Promise<void> {
    const isCopied = await copyText(code);
    said.textContent = isCopied ? 'Copied' : 'Press Ctrl+C or ⌘C to copy';
  }
}

function fieldset(field: string, legend: string, content: HTMLElement): HTMLElement {
  return element('fieldset', { 'data-field': field }, element('legend', {}, legend), content);
}

function radios(name: string, labels: Labels): HTMLElement {
  const choices = Object.entries(labels).map(([value, label]) =>
    element('label', {}, element('input', { type: 'radio', name, value }), element('span', {}, label)),
  );
  return element('div', { class: 'choices' }, ...choices);
}

/** The picture of servers and players with its title, where the page has one of these charts. */
function overviewIn(subject: EmbedSubject): Pick<EmbedChoice, 'subject' | 'title'> | undefined {
  const charts = document.querySelectorAll('button[data-chart="servers"], button[data-chart="players"]');
  if (subject.kind !== 'chart' || charts.length === 0) return undefined;
  const title = document.querySelector('h1')?.textContent ?? '';
  return { subject: { kind: 'overview', pluginId: subject.pluginId }, title };
}

/** Copies the text of a field. Returns false if the browser does not allow it; the text is then selected. */
async function copyText(field: HTMLTextAreaElement): Promise<boolean> {
  try {
    // Available to pages from HTTPS or from this computer only.
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand('copy');
  }
}
