/** `/favicon.svg`: three bars. `/favicon.ico`, which browsers request by themselves, redirects there. */
import { darkColours, lightColours } from '../../draw/theme.ts';
import { type Endpoint, type Part, Redirect } from '../../http/endpoint.ts';
import { faviconPath } from '../address/paths.ts';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>@media(prefers-color-scheme:dark){path{fill:${darkColours.series0}}}</style><path fill="${lightColours.series0}" d="M1 9h3v6H1zM6.5 5h3v10h-3zM12 1h3v14h-3z"/></svg>`;

/** The icon, and the redirect for browsers that look for one by themselves. */
export const faviconEndpoints: readonly Endpoint[] = [
  iconEndpoint(faviconPath, icon),
  iconEndpoint('/favicon.ico', new Redirect(faviconPath)),
];

function iconEndpoint(path: string, part: Part): Endpoint {
  return {
    path,
    ask: () => ({
      key: path,
      mediaType: 'image/svg+xml; charset=utf-8',
      source: 'catalogue',
      size: 'small',
      *parts() {
        yield part;
      },
    }),
  };
}
