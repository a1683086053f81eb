/** `/signatures/{softwareUrl}/{pluginName}.svg`: the overview at the path that READMEs use on the original's server. */

import type { Endpoint } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { splitFileName } from '../address/file-name.ts';
import { overviewQuestion } from './overview-image.ts';
import type { PngMaker } from './png-maker.ts';

/** The endpoint. Names are compared without regard to case; a plus sign may stand for a space. */
export function signatureImage(pngs: PngMaker): Endpoint {
  return {
    path: '/signatures/{softwareUrl}/{file}',
    ask: (request) => {
      const { stem: name, extension } = splitFileName(request, ['svg']);
      const softwareUrl = (request.params['softwareUrl'] ?? '').toLowerCase();
      const names = [softwareUrl, name.toLowerCase()].map((one) => encodeURIComponent(one.toWellFormed()));
      return overviewQuestion(
        {
          path: `/signatures/${names.join('/')}`,
          extension,
          query: request.searchParams,
          findPlugin: async (view) => {
            const plugin = await view.findPluginNamed(softwareUrl, name);
            if (plugin !== undefined) return plugin.id;
            const message = `there is no plugin ${quote(name)} for the software ${quote(softwareUrl)}`;
            throw new AppError('not_found', message, { kind: 'unknown-plugin' });
          },
        },
        pngs,
      );
    },
  };
}
