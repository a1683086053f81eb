/**
 * `/compare.js`: the comparison page without new pages. Every choice is a link or a form to another state of the page; the script fetches that
 * page and shows its parts. So the server alone draws, and the address has the whole state.
 */
import type { Range } from '../../../draw/range.ts';
import { type ShownWindow, windowOf, windowParameters } from '../../state/shown-window.ts';
import { element } from '../elements.ts';
import { ComparisonCursor } from './comparison-cursor.ts';

const waitMs = 150;

/** Makes the page work by script. */
function enableComparing(main: HTMLElement): void {
  const said = element('p', { class: 'hush', role: 'status' });
  main.after(said);
  const cursor = new ComparisonCursor({ zoom: (window) => void goTo(addressWith(window)), zoomOut });
  let running: AbortController | undefined;
  let timer = 0;
  /** The range that was shown last. */
  let range = rangeOf(location.search) ?? '30d';
  cursor.show();

  main.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // A click for a new tab is left to the browser.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.pathname !== location.pathname) return;
    event.preventDefault();
    void goTo(new URL(link.href));
  });
  main.addEventListener('submit', (event) => {
    if (!(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    if (isSearch(event.target)) void search(event.target);
    else void goTo(addressOf(event.target));
  });
  main.addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.form : null;
    if (form === null || !isSearch(form)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void search(form), waitMs);
  });
  addEventListener('popstate', () => void load(new URL(location.href), show));

  async function goTo(url: URL): Promise<void> {
    await load(url, (page) => {
      if (url.href !== location.href) history.pushState(null, '', url);
      show(page);
    });
  }

  function zoomOut(): boolean {
    if (!new URLSearchParams(location.search).has('from')) return false;
    void goTo(addressWith({ range }));
    return true;
  }

  async function search(form: HTMLFormElement): Promise<void> {
    clearTimeout(timer);
    const url = addressOf(form);
    await load(url, (page) => {
      replace('offered', page);
      history.replaceState(null, '', url);
      const count = document.querySelectorAll('#offered li').length;
      said.textContent = count === 0 ? '' : `${count} plugins`;
    });
  }

  /** Fetches a page; one that is no comparison is loaded by the browser, and says what is wrong. */
  async function load(url: URL, onPage: (page: Document) => void): Promise<void> {
    clearTimeout(timer);
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const compared = document.getElementById('compared');
    compared?.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(url, { signal: controller.signal, headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (controller.signal.aborted) return;
      if (page.getElementById('compared') === null) location.assign(url);
      else onPage(page);
    } catch {
      if (!controller.signal.aborted) said.textContent = 'The server did not answer. The page is unchanged.';
    } finally {
      if (running === controller) document.getElementById('compared')?.removeAttribute('aria-busy');
    }
  }

  /** Shows the parts of another state, and keeps the focus where it was. */
  function show(page: Document): void {
    const focused = document.activeElement;
    const wasOffered = focused?.closest('#offered') != null;
    const refocus = placeOf(focused);
    replace('compared', page);
    replace('adding', page);
    document.title = page.title;
    if (wasOffered) document.querySelector<HTMLElement>('#adding input[type=search]')?.focus();
    else refocus();
    range = rangeOf(location.search) ?? range;
    cursor.show();
    const drawn = [...document.querySelectorAll('.comparison > div')].find((each) => each.checkVisibility());
    said.textContent = drawn?.querySelector('desc')?.textContent ?? '';
  }
}

/** Replaces an element by the one with its id in a page. */
function replace(id: string, page: Document): void {
  const [shown, wanted] = [document.getElementById(id), page.getElementById(id)];
  if (shown !== null && wanted !== null) shown.replaceWith(document.importNode(wanted, true));
}

/** Remembers the element with the focus by its id or its words; the function focuses its successor. */
function placeOf(focused: Element | null): () => void {
  const compared = focused?.closest('#compared');
  if (!(focused instanceof HTMLElement) || compared == null) return () => {};
  const { id, tagName, textContent } = focused;
  return () => {
    const alike = [...document.querySelectorAll<HTMLElement>(`#compared ${tagName}`)];
    const same = alike.find((each) => (id === '' ? each.textContent === textContent : each.id === id));
    const place = same ?? document.querySelector<HTMLElement>('#compared h1');
    if (place === null) return;
    if (same === undefined) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  };
}

function isSearch(form: HTMLFormElement): boolean {
  return form.getAttribute('role') === 'search';
}

/** The address of a form, without empty fields. */
function addressOf(form: HTMLFormElement): URL {
  const url = new URL(form.action);
  url.hash = '';
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value] as const] : [],
  );
  return withParameters(url, fields);
}

/** The address of this page with another window. */
function addressWith(window: ShownWindow): URL {
  const kept = [...new URLSearchParams(location.search)].filter(
    ([name]) => !['range', 'from', 'to', 'add'].includes(name),
  );
  const times = Object.entries(windowParameters(window)).flatMap(([name, value]) =>
    value === undefined || value === '30d' ? [] : [[name, value] as const],
  );
  return withParameters(new URL(location.pathname, location.href), [...kept, ...times]);
}

const parameterNames = ['charts', 'mode', 'axis', 'range', 'from', 'to', 'hide', 'add'];

function withParameters(url: URL, parameters: ReadonlyArray<readonly [string, string]>): URL {
  // As the server writes them.
  const ordered = parameterNames.flatMap((name) => parameters.filter(([each]) => each === name));
  const query = new URLSearchParams(ordered.map(([name, value]): [string, string] => [name, value]));
  url.search = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return url;
}

/** The range of an address; undefined if it has two dates. */
function rangeOf(search: string): Range | undefined {
  const query = new URLSearchParams(search);
  const window = windowOf((name) => query.get(name));
  return 'range' in window ? window.range : undefined;
}

const main = document.getElementById('main');
if (main !== null) enableComparing(main);
