/** `/favicon.svg`: three bars; also served at `/favicon.ico`, which browsers request on their own. */
import { darkColours, lightColours } from '../../draw/theme.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { faviconPath } from '../address/paths.ts';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>@media(prefers-color-scheme:dark){path{fill:${darkColours.series0}}}</style><path fill="${lightColours.series0}" d="M1 9h3v6H1zM6.5 5h3v10h-3zM12 1h3v14h-3z"/></svg>`;

/** Endpoints of the icon at both paths. Browsers rely on its media type. */
export const faviconEndpoints: readonly Endpoint[] = [faviconPath, '/favicon.ico'].map((path) => ({
  path,
  ask: () => ({
    key: path,
    mediaType: 'image/svg+xml; charset=utf-8',
    source: 'catalogue',
    size: 'small',
    *parts() {
      yield icon;
    },
  }),
}));
