/** The zone of the reader, on pages whose charts are drawn by script. UTC is one click away, and in every address. */
import { formatDate, formatDateTime } from '../../draw/format.ts';
import { setReaderZone } from '../../draw/reader-zone.ts';
import { button } from './elements.ts';

/** Kept in the browser if the reader has chosen UTC. */
const key = 'times';

/** Sets the zone of all charts of the page, and shows its own times in it. */
export function enableLocalFormat(): void {
  const isLocal = !isZoneUtc() && document.querySelector('plugin-chart, main time') !== null;
  const isUtcChosen = readChoice() === 'utc';
  if (isLocal && !isUtcChosen) setReaderZone(offsetMs);
  if (isLocal) showZone(isUtcChosen);
  showTimes(document);
}

/** Shows the times of a page, which may be one that was fetched, in the zone of the reader. */
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
