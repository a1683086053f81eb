/** Search as you type: replaces the list of plugins, and its heading, by those of the form's address. */
import { showTimes } from './local-format.ts';
import { LostRequest, sendRequest, waitToRetry } from './retry.ts';

const waitMs = 150;

/** Makes the forms of lists search on each input. Without it they work by their button. */
export function enableSearch(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-list]')) searchAsYouType(form);
}

function searchAsYouType(form: HTMLFormElement): void {
  const said = document.createElement('p');
  said.className = 'hush';
  said.setAttribute('role', 'status');
  form.after(said);
  let timer = 0;
  let running: AbortController | undefined;
  const listId = form.dataset['list'] ?? '';

  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), waitMs);
  };
  form.addEventListener('input', later);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    void search();
  });
  // Typed while the script was on its way.
  if ([...form.querySelectorAll('input')].some(({ value, defaultValue }) => value !== defaultValue))
    void search();

  async function search(attempt = 0): Promise<void> {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    let url = addressOf(form).href;
    const list = document.getElementById(listId);
    list?.setAttribute('aria-busy', 'true');
    let isAnswered = false;
    try {
      const { signal } = controller;
      const { response, text } = await sendRequest(url, { signal, headers: { Accept: 'text/html' } });
      isAnswered = true;
      // That of a software is redirected to its page.
      url = response.url;
      const page = new DOMParser().parseFromString(text, 'text/html');
      showTimes(page);
      const found = page.getElementById(listId);
      if (found === null) throw new TypeError(`${url} has no list`);
      if (controller.signal.aborted) return;
      // One status is enough: screen readers would say both.
      const count = found.querySelector('[role=status]');
      count?.removeAttribute('role');
      document.getElementById(listId)?.replaceWith(document.importNode(found, true));
      showSubject(page);
      said.textContent = count?.textContent ?? '';
      history.replaceState(null, '', url);
    } catch (error) {
      if (controller.signal.aborted) return;
      // The page at the address says what is wrong. Without an answer, the list stays until there is one.
      if (isAnswered || !(error instanceof LostRequest)) return location.assign(url);
      list?.removeAttribute('aria-busy');
      const count = list?.querySelector('.found');
      count?.removeAttribute('role');
      said.textContent = 'The server did not answer. The list is unchanged.';
      if (count) count.textContent = said.textContent;
      await waitToRetry(attempt, error);
      if (!controller.signal.aborted) void search(attempt + 1);
    }
  }
}

/** Shows the heading and the title of a page, if they are others. */
function showSubject(page: Document): void {
  const [shown, wanted] = [document.getElementById('subject'), page.getElementById('subject')];
  if (wanted !== null && shown?.isEqualNode(wanted) === false)
    shown.replaceWith(document.importNode(wanted, true));
  document.title = page.title;
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
