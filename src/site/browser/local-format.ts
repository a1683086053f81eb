/** The zone and the separators of the reader, on pages whose charts are drawn by script. UTC is one click away, and in every address. */
import { formatDate, formatDateTime } from '../../draw/format.ts';
import { setReaderFormat, withSeparators } from '../../draw/reader-format.ts';
import { button } from './elements.ts';

/** Kept in the browser if the reader has chosen UTC. */
const key = 'times';

/** Sets the format of all charts of the page, and shows its own numbers and times in it. The pictures of a comparison are the server's. */
export function enableLocalFormat(): void {
  if (document.getElementById('compared') !== null) return;
  const separators = separatorsOf(navigator.language);
  const isLocal = !isZoneUtc() && document.querySelector('plugin-chart, main time') !== null;
  const isUtcChosen = readChoice() === 'utc';
  const offset = isLocal && !isUtcChosen ? { offsetMs } : {};
  setReaderFormat({ ...separators, ...offset });
  if (isLocal) showZone(isUtcChosen);
  showTimes(document);
  if (separators !== undefined) showNumbers();
}

/** Shows the times of a page, which may be one that was fetched, in the format of the reader. */
export function showTimes(page: Document): void {
  for (const time of page.querySelectorAll<HTMLTimeElement>('main time')) {
    const at = Date.parse(time.dateTime);
    time.textContent = time.textContent?.includes(':') ? formatDateTime(at) : formatDate(at);
  }
}

function offsetMs(timestamp: number): number {
  // NaN beyond the range of a Date.
  return -new Date(timestamp).getTimezoneOffset() * 60_000 || 0;
}

function isZoneUtc(): boolean {
  const now = Date.now();
  const halfYearMs = 182 * 24 * 60 * 60 * 1000;
  return offsetMs(now) === 0 && offsetMs(now - halfYearMs) === 0;
}

/** Says in the footer which times are shown, with the button for the others. */
function showZone(isUtcChosen: boolean): void {
  const note = document.getElementById('zone');
  if (note === null) return;
  if (!isUtcChosen)
    note.textContent = `Times are those of ${new Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
  const other = button(isUtcChosen ? 'Show local times' : 'Show UTC', {
    class: 'zone',
    onClick: () => {
      keepChoice(isUtcChosen ? 'local' : 'utc');
      location.reload();
    },
  });
  note.append(' ', other);
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps the choice. If the browser keeps nothing for this site, times stay local. */
function keepChoice(choice: 'utc' | 'local'): void {
  try {
    if (choice === 'local') localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // The page is loaded again as it was.
  }
}

/** The separators of a language; undefined for those of English, and for digits of another script. */
function separatorsOf(language: string): { readonly group: string; readonly decimal: string } | undefined {
  // The first number format of a page takes 20 to 30 ms.
  if (/^en(-US|-GB)?$/.test(language)) return undefined;
  const parts = new Intl.NumberFormat(language).formatToParts(1234567.5);
  const textOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const [group, decimal] = [textOf('group'), textOf('decimal')];
  if (textOf('integer') !== '1' || (group === ',' && decimal === '.')) return undefined;
  return { group, decimal };
}

/** A number in English, as the server writes it. */
const numberText = /^[+−±<]?\d[\d,.]*%?$/;

/** Shows the numbers of the page with the separators of the reader, also those that a search brings. */
function showNumbers(): void {
  const shown = new WeakSet<Node>();
  const show = () => {
    // A name is in an element of its own.
    for (const { firstChild, childNodes } of document.querySelectorAll('main :is(td, dd, .now)')) {
      if (firstChild === null || childNodes.length > 1 || shown.has(firstChild)) continue;
      const text = firstChild.nodeType === Node.TEXT_NODE ? (firstChild.nodeValue ?? '') : '';
      if (numberText.test(text)) firstChild.nodeValue = withSeparators(text);
      shown.add(firstChild);
    }
  };
  show();
  const main = document.getElementById('main');
  if (main !== null) new MutationObserver(show).observe(main, { childList: true, subtree: true });
}
