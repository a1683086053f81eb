/** `openapi`: prints the OpenAPI document, indented. */
import { command } from '../command.ts';
import { printResult } from '../output.ts';
import { liveFieldsSetting } from '../settings.ts';

export const openapi = command({
  summary: 'print the OpenAPI document of the interface',
  settings: { liveFields: liveFieldsSetting },
  async run({ liveFields }) {
    const { openapiDocument } = await import('../../api/routes.ts');
    printResult(...JSON.stringify(openapiDocument({ hasLiveFields: liveFields }), undefined, 2).split('\n'));
  },
});
