/** Bars whose buttons arrow keys move among. */

/**
 * Makes a bar one Tab stop: arrow keys, Home and End move among its links and buttons (ARIA toolbar pattern).
 * @returns a function to call when some of them are shown or hidden
 */
export function moveByArrows(bar: HTMLElement): () => void {
  let current: HTMLElement | undefined;
  const update = () => {
    const items = itemsOf(bar);
    current = items.find((item) => item === current) ?? items[0];
    for (const item of items) item.tabIndex = item === current ? 0 : -1;
  };
  bar.setAttribute('role', 'toolbar');
  bar.addEventListener('focusin', ({ target }) => {
    current = itemsOf(bar).find((item) => item === target) ?? current;
    update();
  });
  bar.addEventListener('keydown', (event) => {
    const items = itemsOf(bar);
    const at = items.indexOf(event.target as HTMLElement);
    const places: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    };
    const place = Object.hasOwn(places, event.key) ? places[event.key] : undefined;
    if (at === -1 || place === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    items.at(place % items.length)?.focus();
    event.preventDefault();
  });
  update();
  return update;
}

function itemsOf(bar: HTMLElement): HTMLElement[] {
  const all = [...bar.querySelectorAll<HTMLElement>('a,button')];
  return all.filter((item) => item.closest('[hidden]') === null);
}
