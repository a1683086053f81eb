/**
 * `/compare.js`: the comparison page without new pages. Every choice is a link or a form to another state of the page; the script fetches that
 * page and shows its parts. So the server alone draws, and the address has the whole state.
 */
import type { Range } from '../../../model/window.ts';
import {
  applyChoice,
  type ComparisonChoice,
  comparisonAddress,
  formChoice,
  isSameComparison,
  rangeIn,
  windowChoice,
} from '../../state/comparison-choice.ts';
import { hasChangedFields } from '../changed-fields.ts';
import { element, fieldsOf } from '../elements.ts';
import { watchPresses } from '../pressed-button.ts';
import { ComparisonCursor } from './comparison-cursor.ts';

const waitMs = 150;

/** Makes the page work by script. */
function enableComparing(main: HTMLElement): void {
  const said = element('p', { class: 'hush', role: 'status' });
  main.after(said);
  const cursor = new ComparisonCursor({
    zoom: (window) => choose(windowChoice(window, shown.searchParams)),
    zoomOut,
  });
  let running: AbortController | undefined;
  const released = watchPresses();
  /** Waits for the end of typing; 0 if nothing is typed. */
  let timer = 0;
  /** The page that is shown. */
  let shown = new URL(location.href);
  /** The page that is loading; the shown one if none is. */
  let loading = shown;
  /** The range that was chosen last. */
  let range: Range = rangeIn(shown.searchParams) ?? '30d';
  cursor.show();

  main.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // A click for a new tab is left to the browser.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.pathname !== location.pathname) return;
    event.preventDefault();
    const [name = ''] = (link.dataset['set'] ?? '').split('=');
    choose({ query: new URL(link.href).searchParams, sets: [name] });
  });
  main.addEventListener('submit', (event) => {
    if (!(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    if (isSearch(event.target)) search(event.target);
    else choose(formChoice(fieldsOf(event.target)));
  });
  main.addEventListener('input', ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.form : null;
    if (form === null || !isSearch(form)) return;
    clearTimeout(timer);
    timer = setTimeout(() => search(form), waitMs);
  });
  addEventListener('popstate', () => void load(new URL(location.href), (page) => show(page)));
  // Typed while the script was on its way.
  const early = main.querySelector<HTMLFormElement>('form[role=search]');
  if (early !== null && hasChangedFields(early)) search(early);

  function choose(choice: ComparisonChoice): void {
    const url = withChoice(choice);
    // A choice that this one overtakes is a step back too.
    record(loading);
    void load(url, (page) => {
      record(url);
      show(page);
    });
  }

  /** The page that is loading, with a choice that was made on the shown one. */
  function withChoice(choice: ComparisonChoice): URL {
    const query = applyChoice(choice, { shown: shown.searchParams, loading: loading.searchParams });
    return new URL(comparisonAddress(query), location.href);
  }

  function record(url: URL): void {
    if (isSameComparison(url.searchParams, new URLSearchParams(location.search)))
      history.replaceState(null, '', url);
    else history.pushState(null, '', url);
  }

  function zoomOut(): boolean {
    if (!loading.searchParams.has('from')) return false;
    choose(windowChoice(range, shown.searchParams));
    return true;
  }

  function search(form: HTMLFormElement): void {
    const url = withChoice(formChoice(fieldsOf(form)));
    const isOther = !isSameComparison(url.searchParams, shown.searchParams);
    void load(url, (page) => {
      record(url);
      if (isOther) showComparison(page);
      showFound(page);
      const count = document.querySelectorAll('#offered li').length;
      said.textContent = count === 0 ? '' : `${count} plugins`;
    });
  }

  /** Fetches a page; one that is no comparison is loaded by the browser, and says what is wrong. */
  async function load(url: URL, onPage: (page: Document) => void): Promise<void> {
    clearTimeout(timer);
    timer = 0;
    running?.abort();
    const controller = new AbortController();
    running = controller;
    loading = url;
    range = rangeIn(url.searchParams) ?? range;
    document.getElementById('compared')?.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(url, { signal: controller.signal, headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      await released();
      if (controller.signal.aborted) return;
      if (page.getElementById('compared') === null) location.assign(url);
      else {
        shown = url;
        onPage(page);
      }
    } catch {
      if (controller.signal.aborted) return;
      loading = shown;
      history.replaceState(null, '', shown);
      said.textContent = 'The server did not answer. The page is unchanged.';
    } finally {
      if (running === controller) document.getElementById('compared')?.removeAttribute('aria-busy');
    }
  }

  /** Shows the parts of another page, and keeps the focus where it was. */
  function show(page: Document): void {
    const wasOffered = document.activeElement?.closest('#offered') != null;
    showComparison(page);
    // What is typed meanwhile is searched for next.
    if (timer !== 0) showFound(page);
    else replace('adding', page);
    if (wasOffered) document.querySelector<HTMLElement>('#adding input[type=search]')?.focus();
    const drawn = [...document.querySelectorAll('.comparison > div')].find((each) => each.checkVisibility());
    said.textContent = drawn?.querySelector('desc')?.textContent ?? '';
  }

  function showComparison(page: Document): void {
    const refocus = placeOf(document.activeElement);
    replace('compared', page);
    document.title = page.title;
    refocus();
    cursor.show();
  }
}

/** Shows the plugins that were found, and leaves the field for the search as it is. */
function showFound(page: Document): void {
  const [form, wanted] = [document, page].map((each) => each.querySelector('#adding form'));
  if (!form || !wanted) {
    replace('adding', page);
    return;
  }
  replace('offered', page);
  for (const input of form.querySelectorAll('[type=hidden]')) input.remove();
  form.prepend(...wanted.querySelectorAll('[type=hidden]'));
}

/** Replaces an element by the one with its id in a page. One that is the same stays. */
function replace(id: string, page: Document): void {
  const [shown, wanted] = [document.getElementById(id), page.getElementById(id)];
  if (shown === null || wanted === null || shown.isEqualNode(wanted)) return;
  shown.replaceWith(document.importNode(wanted, true));
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

const main = document.getElementById('main');
if (main !== null) enableComparing(main);
