/** Choices that the browser stores for this site, if it stores anything for it. */

/** Reads a choice; null if there is none. */
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a choice; null for what is usual. */
export function keepChoice(key: string, choice: string | null): void {
  try {
    if (choice === null) localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // It lasts as long as the page.
  }
}
