/** `/embed.js`, `/explore.js`, `/compare.js`, `/early.js`, `/embed-dialog.js`, `/site.js` and `/site.css`. */
import type { Endpoint } from '../../http/endpoint.ts';
import { type BrowserFileName, browserFiles, readBrowserFile } from './browser-file.ts';

/** The endpoint of a file. */
export function browserFileEndpoint(name: BrowserFileName): Endpoint {
  return {
    path: `/${name}`,
    ask: () => ({
      key: `/${name}`,
      mediaType: browserFiles[name],
      source: 'catalogue',
      size: 'small',
      async *parts() {
        yield await readBrowserFile(name);
      },
    }),
  };
}
