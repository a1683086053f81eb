/** `/site.js`: the script of the pages of this site, which also work without it. */
import './embed.ts';
import { enableCharts } from './chart-page.ts';
import { importPart } from './element/fetch.ts';
import { element } from './elements.ts';
import { enableLocalFormat } from './local-format.ts';
import { waitToRetry } from './retry.ts';
import { enableSearch } from './search.ts';
import { enableThemeSwitch } from './theme.ts';

/** Closes an open menu by Escape, by a click on one of its links, and by a click beside it. */
function enableMenus(): void {
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
function enableSections(): void {
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
    for (const [index, link] of links.entries()) link.ariaCurrent = index === place ? 'true' : null;
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
function markOldNumbers(): void {
  for (const said of document.querySelectorAll('[data-age]')) {
    const time = said.querySelector('time');
    if (time !== null && Date.now() - Date.parse(time.dateTime) > oldMs)
      said.append(' ', element('strong', {}, 'older than two hours'));
  }
}

// Must run before a chart is drawn.
enableLocalFormat();
enableThemeSwitch();
enableSearch();
enableEmbedding();
enableCharts();
enableMenus();
enableSections();
markOldNumbers();

/**
 * Makes the buttons of the Embed dialog work, including buttons added later. Without script they are hidden.
 */
function enableEmbedding(): void {
  document.addEventListener('click', ({ target }) => {
    const opener = target instanceof Element ? target.closest<HTMLButtonElement>('button[data-embed]') : null;
    if (opener === null) return;
    const load = () => importPart('embed-dialog', () => import('./embed-dialog.ts'));
    load()
      // The reader is waiting, so there is only one retry.
      .catch((lost) => waitToRetry(0, lost).then(load))
      .then(
        ({ openEmbedDialog }) => openEmbedDialog(opener),
        () => {
          if (confirm('The dialog could not be loaded. Load the page again?')) location.reload();
        },
      );
  });
}
