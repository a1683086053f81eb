/** The Embed dialog: a preview, choices, and the code to copy. */
import { rangeNames } from '../../draw/range.ts';
import { button, element } from './elements.ts';
import { type EmbedChoice, pictureUrl, type Snippet, snippetsFor } from './snippets.ts';

const sizes: Readonly<
  Record<string, { readonly label: string; readonly width: number; readonly height: number }>
> = {
  small: { label: 'Small', width: 400, height: 200 },
  medium: { label: 'Medium', width: 800, height: 300 },
  large: { label: 'Large', width: 1200, height: 400 },
};

/** Shows the buttons that open the dialog. */
export function enableEmbedding(): void {
  // The format that was chosen last is chosen again for the next chart.
  const chosen = { format: 'Markdown' };
  for (const opener of document.querySelectorAll<HTMLButtonElement>('button[data-embed]')) {
    opener.hidden = false;
    opener.setAttribute('aria-haspopup', 'dialog');
    opener.addEventListener('click', () => openDialog(opener, chosen));
  }
}

/** Opens the dialog; the browser moves the focus back to the button when it closes. */
function openDialog({ dataset }: HTMLButtonElement, chosen: { format: string }): void {
  const chartId = dataset['chart'] ?? '';
  const form = dataset['form'] ?? '';
  const { origin, pathname } = location;
  let choice: EmbedChoice = {
    origin,
    pageUrl: `${origin}${pathname}#${chartId}`,
    pluginId: dataset['plugin'] ?? '',
    chartId,
    form,
    title: dataset['title'] ?? '',
    theme: 'auto',
    width: 800,
    height: 300,
    range: form === 'line' ? (rangeInPage(chartId) ?? '30d') : '',
  };

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
  const names = snippetsFor(choice).map(({ name }) => ({ value: name, label: name }));
  if (!names.some(({ value }) => value === chosen.format)) chosen.format = 'Markdown';

  dialog.append(
    element(
      'header',
      {},
      element('h2', { id: 'embed-title' }, 'Embed ', element('span', { dir: 'auto' }, choice.title)),
      button('Close', { class: 'close', onClick: () => dialog.close() }),
    ),
    element('div', { class: 'frame' }, preview),
    element(
      'div',
      { class: 'options' },
      choices(
        'Theme',
        [
          { value: 'auto', label: 'Auto' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ],
        { chosen: choice.theme, onChange: (theme) => update({ theme }) },
      ),
      choices(
        'Size',
        Object.entries(sizes).map(([value, { label }]) => ({ value, label })),
        { chosen: 'medium', onChange: (name) => update(sizeOf(name)) },
      ),
      ...(choice.range === ''
        ? []
        : [
            choices(
              'Range',
              rangeNames.map((value) => ({ value, label: value === 'all' ? 'All' : value })),
              { chosen: choice.range, onChange: (range) => update({ range }) },
            ),
          ]),
    ),
    choices('Format', names, {
      chosen: chosen.format,
      onChange: (name) => {
        chosen.format = name;
        update({});
      },
    }),
    hint,
    code,
    element('footer', {}, copy, said),
  );
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
    const snippet = chosenSnippet();
    code.value = snippet.text;
    hint.textContent = snippet.hint;
    said.textContent = '';
    const isBadge = snippet.name === 'Badge';
    const url = pictureUrl(choice, 'svg');
    preview.src = isBadge ? url.replace('/embed/', '/badge/').replace(/\?.*$/, '') : url;
    preview.classList.toggle('small', isBadge);
  }

  function chosenSnippet(): Snippet {
    const snippets = snippetsFor(choice);
    return snippets.find(({ name }) => name === chosen.format) ?? { name: '', hint: '', text: '' };
  }

  async function onCopy(): Promise<void> {
    const isCopied = await copyText(code);
    said.textContent = isCopied ? 'Copied' : 'Press Ctrl+C or ⌘C to copy';
  }
}

function sizeOf(name: string): { readonly width: number; readonly height: number } {
  const { width, height } = sizes[name] ?? { width: 800, height: 300 };
  return { width, height };
}

/** The range that the chart has in the page now. */
function rangeInPage(chartId: string): string | undefined {
  const chart = document.querySelector(`plugin-chart[chart="${CSS.escape(chartId)}"]`);
  const range = chart?.getAttribute('range') ?? undefined;
  return rangeNames.find((name) => name === range);
}

/** One option of a choice. */
interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** A row of radio buttons; `onChange` is called with each new choice. */
function choices<Value extends string>(
  legend: string,
  options: ReadonlyArray<Choice<Value>>,
  { chosen, onChange }: { readonly chosen: Value; readonly onChange: (value: Value) => void },
): HTMLFieldSetElement {
  const name = `embed-${legend.toLowerCase()}`;
  const labels = options.map(({ value, label }) => {
    const checked = value === chosen ? '' : undefined;
    const radio = element('input', { type: 'radio', name, value, checked });
    radio.addEventListener('change', () => onChange(value));
    return element('label', {}, radio, element('span', {}, label));
  });
  return element(
    'fieldset',
    {},
    element('legend', {}, legend),
    element('div', { class: 'choices' }, ...labels),
  );
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
