/**
 * Shows times in the time zone of the reader on pages whose charts are drawn by script. One click switches to
 * UTC, and URLs always use UTC.
 */
import { formatDate, formatDateTime } from '../../draw/format.ts';
import { setReaderZone } from '../../draw/reader-zone.ts';
import { button } from './elements.ts';
import { keepChoice, readChoice } from './kept-choice.ts';

/** Storage key, set if the reader has chosen UTC. */
const key = 'times';

/** Sets the time zone of all charts of the page, and converts the times in the page. */
export function enableLocalFormat(): void {
  const isLocal = !isZoneUtc() && document.querySelector('plugin-chart, main time') !== null;
  const isUtcChosen = readChoice(key) === 'utc';
  if (isLocal && !isUtcChosen) setReaderZone(offsetMs);
  if (isLocal) showZone(isUtcChosen);
  showTimes(document);
}

/** Converts the times in a document, which may be a fetched one, to the time zone of the reader. */
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

/** States the time zone in the footer, with a button to switch. */
function showZone(isUtcChosen: boolean): void {
  const note = document.getElementById('-zone');
  if (note === null) return;
  if (!isUtcChosen)
    note.textContent = `Times are those of ${new Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
  const other = button(isUtcChosen ? 'Show local times' : 'Show UTC', {
    class: 'zone',
    onClick: () => {
      keepChoice(key, isUtcChosen ? null : 'utc');
      location.reload();
    },
  });
  note.append(' ', other);
}
