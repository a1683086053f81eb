/** `/about`: the meaning of the numbers, their origin, and ways to use them. */

import type { Directories } from '../../../directory/directories.ts';
import type { Endpoint } from '../../../http/endpoint.ts';
import { aboutPath } from '../../address/paths.ts';
import { loadOnce } from '../../load-once.ts';
import { pageQuestion } from '../page-question.ts';

const loadPage = loadOnce(() => import('./about-page.ts'));

/** The page about the numbers. */
export function aboutEndpoint(directories: Directories): Endpoint {
  return {
    path: aboutPath,
    ask: ({ origin }) => ({
      ...pageQuestion(aboutPath, origin),
      async *parts(reader) {
        const { renderAboutPage } = await loadPage();
        const directory = await reader.read((view) => directories.load(view));
        yield await renderAboutPage(directory, origin);
      },
    }),
  };
}
