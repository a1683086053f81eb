/**
 * Search as you type: in lists, parts of which are replaced by those of the form's address, and in the head
 * of a page, which offers the first plugins.
 */
import { element } from './elements.ts';
import { showTimes } from './local-format.ts';
import { LostRequest, sendRequest, waitToRetry } from './retry.ts';

const waitMs = 150;

/** Makes searches work on each input. Without it they work by Enter. */
export function enableSearch(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-list]')) searchInList(form);
  for (const form of document.querySelectorAll<HTMLFormElement>('form.find')) searchInHead(form);
}

/** Callbacks of a search. */
interface Results {
  /** Called before a request. */
  readonly onRequest?: () => void;
  /** Shows the page at the address of the form. Throws if the page is none of a search. */
  readonly show: (page: Document, url: string) => void;
  /** Called with a page that cannot be shown. */
  readonly onFault: (url: string) => void;
  /** Called when there was no answer; the request is sent again later. */
  readonly onLost: () => void;
}

/** Searches shortly after each input; the newest search ends the ones before it. */
function asTyped(form: HTMLFormElement, results: Results): () => Promise<void> {
  let timer = 0;
  let running: AbortController | undefined;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), waitMs);
  });
  // Typed while the script was on its way.
  if ([...form.querySelectorAll('input')].some(({ value, defaultValue }) => value !== defaultValue))
    void search();
  return search;

  async function search(attempt = 0): Promise<void> {
    clearTimeout(timer);
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const url = addressOf(form).href;
    let isAnswered = false;
    results.onRequest?.();
    try {
      const { signal } = controller;
      const { text } = await sendRequest(url, { signal, headers: { Accept: 'text/html' } });
      isAnswered = true;
      const page = new DOMParser().parseFromString(text, 'text/html');
      if (controller.signal.aborted) return;
      if (url === addressOf(form).href) results.show(page, url);
      // The page's other choices have changed meanwhile.
      else void search();
    } catch (error) {
      if (controller.signal.aborted) return;
      // Without an answer, everything stays until there is one.
      if (isAnswered || !(error instanceof LostRequest)) return results.onFault(url);
      results.onLost();
      await waitToRetry(attempt, error);
      if (!controller.signal.aborted) void search(attempt + 1);
    }
  }
}

function searchInList(form: HTMLFormElement): void {
  const said = element('p', { class: 'hush', role: 'status' });
  form.after(said);
  const ids = form.dataset['list']?.split(' ') ?? [];
  const listId = ids[0] ?? '';
  const search = asTyped(form, {
    onRequest: () => document.getElementById(listId)?.setAttribute('aria-busy', 'true'),
    show: (page, url) => {
      showTimes(page);
      const found = ids.map((id) => page.getElementById(id));
      if (found.includes(null)) throw new TypeError(`${url} has no list`);
      // One status is enough: screen readers would say both.
      const count = found[0]?.querySelector('[role=status]');
      count?.removeAttribute('role');
      for (const part of found)
        if (part) document.getElementById(part.id)?.replaceWith(document.importNode(part, true));
      said.textContent = count?.textContent ?? '';
      history.replaceState(null, '', url);
    },
    // The page at the address says what is wrong.
    onFault: (url) => location.assign(url),
    onLost: () => {
      const list = document.getElementById(listId);
      list?.removeAttribute('aria-busy');
      const count = list?.querySelector('.found');
      count?.removeAttribute('role');
      said.textContent = 'The server did not answer. The list is unchanged.';
      if (count) count.textContent = said.textContent;
    },
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search();
  });
}

/** The plugins that the head of a page offers; Enter shows all. */
const maxOffered = 8;

/** Offers plugins below the field, as a combobox with a list of links (ARIA combobox pattern). */
function searchInHead(form: HTMLFormElement): void {
  const field = form.querySelector('input');
  if (field === null) return;
  const said = element('p', { role: 'status' });
  const list = element('div', { id: 'offers', role: 'listbox', 'aria-label': 'Plugins' });
  const popup = element('div', { class: 'popup', hidden: '' }, said, list);
  form.append(popup);
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-autocomplete': 'list' }))
    field.setAttribute(name, value);
  field.setAttribute('aria-controls', list.id);

  const open = (isOpen: boolean) => {
    popup.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen && list.childElementCount > 0));
    choose(undefined);
  };
  const chosen = () => list.querySelector<HTMLElement>('[aria-selected=true]');
  const choose = (link: Element | undefined) => {
    chosen()?.setAttribute('aria-selected', 'false');
    link?.setAttribute('aria-selected', 'true');
    link?.scrollIntoView({ block: 'nearest' });
    field.setAttribute('aria-activedescendant', link?.id ?? '');
  };
  const offer = (words: string, links: readonly HTMLElement[] = []) => {
    said.textContent = words;
    list.replaceChildren(...links);
    open(field.value.trim() !== '' && document.activeElement === field);
  };
  asTyped(form, {
    show: (page, url) => {
      const list = page.getElementById('plugins');
      if (list === null) throw new TypeError(`${url} has no list`);
      const rows = [...list.querySelectorAll('tbody tr')].slice(0, maxOffered);
      offer(list.querySelector('.found')?.firstChild?.textContent ?? '', rows.map(offerOf));
    },
    onFault: () => offer('This search finds nothing.'),
    onLost: () => offer('The server did not answer.'),
  });
  open(false);
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const links = [...list.children];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const link = chosen();
    if (step !== undefined && links.length > 0) {
      if (popup.hidden) open(true);
      // After the last one, and before the first, it is the field itself.
      const place = link === null ? links.length : links.indexOf(link);
      choose(links[(place + step + links.length + 1) % (links.length + 1)]);
    } else if (event.key === 'Enter' && link !== null) link.click();
    else if (event.key === 'Escape' && !popup.hidden) open(false);
    else return;
    event.preventDefault();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) open(false);
  });
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.closest('input,select,textarea,dialog') !== null;
    if (key !== '/' || isTyping || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    field.select();
    field.focus();
  });
}

/** A link to the plugin of a row of a list. */
function offerOf(row: Element, index: number): HTMLElement {
  const text = (selector: string) => row.querySelector(selector)?.textContent ?? '';
  const name = row.querySelector('th a');
  return element(
    'a',
    {
      id: `offer${index}`,
      role: 'option',
      'aria-selected': 'false',
      tabindex: '-1',
      href: name?.getAttribute('href') ?? '',
    },
    element('bdi', {}, name?.textContent ?? ''),
    element('small', {}, element('bdi', {}, text('th small')), ' · ', element('bdi', {}, text('.on'))),
    element('b', {}, text('.number')),
  );
}

/** The address of the form, without empty fields. */
function addressOf(form: HTMLFormElement): URL {
  const url = new URL(form.action);
  url.search = '';
  url.hash = '';
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') url.searchParams.append(name, value);
  return url;
}
