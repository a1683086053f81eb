/** `/embed-dialog.js`: the Embed dialog, with a preview, choices, and the code to copy. It is loaded when a button first opens it. */

import { badgeStyles } from '../../draw/badge-look.ts';
import { rangeWords } from '../../draw/range.ts';
import { type Range, rangeNames } from '../../model/window.ts';
import { chartViews } from '../state/page-state.ts';
import { windowOf } from '../state/shown-window.ts';
import { button, element } from './elements.ts';
import {
  badgeColourNames,
  badgeLook,
  type EmbedChoice,
  type EmbedSubject,
  embedThemes,
} from './embed-choice.ts';
import { radioField, textField } from './embed-fields.ts';
import { type EmbedOption, type Snippet, snippetsFor } from './snippets.ts';

const sizes = {
  small: { label: 'Small', width: 400, height: 200 },
  medium: { label: 'Medium', width: 800, height: 300 },
  large: { label: 'Large', width: 1200, height: 400 },
} as const;

/** The format that was chosen last is chosen again for the next chart. */
const chosen = { format: 'Markdown' };

/** The choice that shows what the page shows beside the button. */
function choiceOf({ dataset }: HTMLButtonElement): EmbedChoice {
  const { origin, pathname, search } = location;
  const { plugin: pluginId = '', chart: chartId = '', form = '', charts, mode = '', axis = '' } = dataset;
  const chart = document.querySelector(`plugin-chart[chart="${CSS.escape(chartId)}"]`);
  const query = new URLSearchParams(search);
  const shown = (name: string) =>
    charts === undefined ? (chart?.getAttribute(name) ?? null) : query.get(name);
  return {
    origin,
    pageUrl: charts === undefined ? `${origin}${pathname}#${chartId}` : `${origin}${pathname}${search}`,
    subject:
      charts === undefined
        ? { kind: 'chart', pluginId, chartId, form }
        : { kind: 'lines', charts, mode, axis },
    title: dataset['title'] ?? '',
    theme: 'auto',
    ...sizes.medium,
    window: windowOf(shown),
    view: chartViews.find((view) => view === shown('view')) ?? 'now',
    unit: shown('unit') === 'count' ? 'count' : 'percent',
    ...badgeLook,
  };
}

/** Opens the dialog for the chart of a button; the browser moves the focus back to the button when it closes. */
export function openEmbedDialog(opener: HTMLButtonElement): void {
  const own = choiceOf(opener);
  let choice = own;
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
  const dialog = element('dialog', { class: 'embed', 'aria-labelledby': 'embed-title' });

  const overview = overviewIn(own.subject);
  const subjects = radioField(
    'Picture',
    [option('chart', 'This chart'), option('overview', 'Servers and players')],
    (kind) =>
      update(
        kind === 'overview' && overview !== undefined
          ? { subject: overview, window: '7d', title: pluginName() }
          : own,
      ),
  );
  const themes = radioField(
    'Theme',
    embedThemes.map((theme) => option(theme, capital(theme))),
    (theme) => update({ theme }),
  );
  const sizeNames = Object.keys(sizes) as (keyof typeof sizes)[];
  const sizeField = radioField(
    'Size',
    sizeNames.map((name) => option(name, sizes[name].label)),
    (name) => {
      const { width, height } = sizes[name];
      update({ width, height });
    },
  );
  const views = radioField('View', [option('now', 'Now'), option('history', 'Over time')], (view) =>
    update({ view }),
  );
  const units = radioField('Unit', [option('percent', 'Per cent'), option('count', 'Counts')], (unit) =>
    update({ unit }),
  );
  const spanLabel =
    typeof own.window === 'string' ? '' : capital(rangeWords(own.window, { timestamp: own.window.to }));
  const rangeOptions: readonly { readonly value: Range | 'span'; readonly label: string }[] = [
    ...rangeNames.map((range) => option(range, range === 'all' ? 'All' : range)),
    option('span', spanLabel),
  ];
  const ranges = radioField('Range', rangeOptions, (range) =>
    update({ window: range === 'span' ? own.window : range }),
  );
  const label = textField('Label', { maxLength: 100, onInput: (text) => update({ label: text }) });
  const colours = radioField(
    'Colour',
    badgeColourNames.map((name) => option(name, name)),
    (color) => update({ color }),
  );
  const styles = radioField(
    'Style',
    badgeStyles.map((style) => option(style, style)),
    (style) => update({ style }),
  );
  const formats = radioField(
    'Format',
    snippetsFor(own).map(({ name }) => option(name, name)),
    (name) => {
      chosen.format = name;
      update({});
    },
  );
  const fields: ReadonlyArray<readonly [EmbedOption, HTMLElement]> = [
    ['theme', themes.element],
    ['size', sizeField.element],
    ['view', views.element],
    ['unit', units.element],
    ['range', ranges.element],
    ['badge', label],
    ['badge', colours.element],
    ['badge', styles.element],
  ];

  dialog.append(
    element(
      'header',
      {},
      element('h2', { id: 'embed-title' }, 'Embed ', element('span', { dir: 'auto' }, own.title)),
      button('Close', { class: 'close', onClick: () => dialog.close() }),
    ),
    element('div', { class: 'frame' }, preview),
    element('div', { class: 'options' }, subjects.element, ...fields.map(([, field]) => field)),
    formats.element,
    hint,
    code,
    element('footer', {}, copy, said),
  );
  subjects.element.hidden = overview === undefined;
  dialog.addEventListener('close', () => dialog.remove());
  // A click beside the dialog closes it.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  update({});
  document.body.append(dialog);
  dialog.showModal();

  function update(change: Partial<EmbedChoice>): void {
    choice = { ...choice, ...change };
    const snippets = snippetsFor(choice);
    const snippet = snippets.find(({ name }) => name === chosen.format) ?? snippets[0];
    if (snippet === undefined) return;
    showSnippet(snippet, snippets);
  }

  function showSnippet({ name, text, previewUrl, ...snippet }: Snippet, snippets: readonly Snippet[]): void {
    const { theme, window } = choice;
    subjects.show(choice.subject.kind === 'overview' ? 'overview' : 'chart');
    formats.show(
      name,
      snippets.map((each) => each.name),
    );
    themes.show(snippet.themes.includes(theme) ? theme : (snippet.themes[0] ?? theme), snippet.themes);
    sizeField.show(sizeNames.find((each) => sizes[each].width === choice.width) ?? 'medium');
    views.show(choice.view);
    units.show(choice.unit);
    ranges.show(
      typeof window === 'string' ? window : 'span',
      typeof own.window === 'string' ? rangeNames : [...rangeNames, 'span'],
    );
    colours.show(choice.color);
    styles.show(choice.style);
    for (const [needed, field] of fields) field.hidden = !snippet.options.includes(needed);
    code.value = text;
    hint.textContent = snippet.hint;
    said.textContent = '';
    preview.src = previewUrl;
    preview.classList.toggle('small', name === 'Badge');
  }

  async function onCopy(): Promise<void> {
    const isCopied = await copyText(code);
    said.textContent = isCopied ? 'Copied' : 'Press Ctrl+C or ⌘C to copy';
  }
}

function option<Value extends string>(
  value: Value,
  label: string,
): { readonly value: Value; readonly label: string } {
  return { value, label };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The picture of servers and players, where the page has one of these charts. */
function overviewIn(subject: EmbedSubject): EmbedSubject | undefined {
  if (subject.kind !== 'chart') return undefined;
  const charts = document.querySelectorAll('button[data-chart="servers"], button[data-chart="players"]');
  return charts.length === 0 ? undefined : { kind: 'overview', pluginId: subject.pluginId };
}

/** The name of the plugin of the page. */
function pluginName(): string {
  return document.querySelector('h1')?.textContent ?? '';
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
