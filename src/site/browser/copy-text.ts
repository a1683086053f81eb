/** Puts text on the clipboard. */

/** Copies what a field holds; false where the browser does not allow it: the text is selected then. */
export async function copyText(field: HTMLTextAreaElement): Promise<boolean> {
  try {
    // Only pages served by HTTPS, or from this computer, have it.
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand('copy');
  }
}
