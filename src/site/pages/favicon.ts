/** `/favicon.svg`: three bars. `/favicon.ico`, which browsers request by themselves, redirects there. */
import { darkColours, lightColours } from '../../draw/theme.ts';
import { type Endpoint, Redirect } from '../../http/endpoint.ts';
import { faviconPath } from '../address/paths.ts';

const mediaType = 'image/svg+xml; charset=utf-8';

/** The icon. */
export const faviconEndpoint: Endpoint = {
  path: faviconPath,
  ask: () => ({
    key: faviconPath,
    mediaType,
    source: 'catalogue',
    size: 'small',
    async *parts() {
      yield `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>@media(prefers-color-scheme:dark){path{fill:${darkColours.series0}}}</style><path fill="${lightColours.series0}" d="M1 9h3v6H1zM6.5 5h3v10h-3zM12 1h3v14h-3z"/></svg>`;
    },
  }),
};

/** The redirect for browsers that look for an icon by themselves. */
export const faviconIcoEndpoint: Endpoint = {
  path: '/favicon.ico',
  ask: () => ({
    key: '/favicon.ico',
    mediaType,
    source: 'catalogue',
    size: 'small',
    async *parts() {
      yield new Redirect(faviconPath);
    },
  }),
};
