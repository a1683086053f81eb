/**
 * Small things of pages: menus that close, the section where the reader is, and a mark of numbers that do not
 * speak of now.
 */
import { element } from './elements.ts';

/** Closes an open menu by Escape, by a click on one of its links, and by a click beside it. */
export function enableMenus(): void {
  const closeBeside = (target: EventTarget | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]'))
      if (!(target instanceof Element && menu.contains(target)) || target.closest('a') !== null)
        menu.open = false;
  };
  document.addEventListener('click', ({ target }) => closeBeside(target));
  document.addEventListener('keydown', ({ key, target }) => {
    if (key !== 'Escape' || !(target instanceof Element)) return;
    target.closest('details.menu[open]')?.querySelector('summary')?.focus();
    closeBeside(null);
  });
}

/** Marks the link to the section at the top of the window, or to the last one at the end of the page. */
export function enableSections(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.sections a')];
  const bar = links[0]?.closest('.toolbar');
  if (bar == null) return;
  const sections = links.map(({ hash }) => document.getElementById(hash.slice(1)));
  let isAsked = false;
  const mark = () => {
    isAsked = false;
    const top = bar.getBoundingClientRect().bottom + 32;
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const last = sections.findLastIndex((section) => (section?.getBoundingClientRect().top ?? 0) <= top);
    const place = isAtEnd ? links.length - 1 : Math.max(0, last);
    for (const [index, link] of links.entries())
      if (index === place) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
  };
  const ask = () => {
    if (!isAsked) requestAnimationFrame(mark);
    isAsked = true;
  };
  addEventListener('scroll', ask, { passive: true });
  addEventListener('resize', ask);
  mark();
}

/**
 * Collectors and mirrors bring a number every half hour: without one for two hours, the newest does not speak
 * of now.
 */
const oldMs = 2 * 60 * 60 * 1000;

/** Marks times of numbers that are old. The body of a page is kept, and does not say so itself. */
export function markOldNumbers(): void {
  for (const said of document.querySelectorAll('[data-age]')) {
    const time = said.querySelector('time');
    if (time !== null && Date.now() - Date.parse(time.dateTime) > oldMs)
      said.append(' ', element('strong', {}, 'older than two hours'));
  }
}
