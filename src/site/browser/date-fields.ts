/** The fields for dates, with the calendar of the browser. */

/** The time from the end of loading until the fields change; charts are drawn by then. */
const delayMs = 1000;

/**
 * Makes the fields for dates those of the browser. The server sends them as text, because the first two take Chromium a tenth of
 * the work of a visit: they wait until the charts are there.
 */
export function enableDateFields(): void {
  const wait = () => setTimeout(showDateFields, delayMs);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}

/** Gives the fields for dates the calendar of the browser. */
export function showDateFields(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('.dates input[pattern]')) {
    // A field that is written in stays as it is.
    if (field !== document.activeElement) field.type = 'date';
  }
}
