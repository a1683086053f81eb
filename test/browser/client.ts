// The client in one file, as its package has it, in a page of another origin.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { pageTest } from './support/open-page.ts';
import { servePage, serveSampleSite } from './support/site-server.ts';

const { url: server } = await serveSampleSite();
const file = fileURLToPath(new URL('../../dist/client.min.js', import.meta.url));

pageTest('the client in one file asks a server of another origin', { mayFail: true }, async ({ page }) => {
  const address = await servePage({ html: '', policy: '' });
  await page.route(`${address}client.min.js`, (route) => route.fulfill({ path: file }));
  await page.goto(address);
  const answers = await page.evaluate(async (baseUrl) => {
    const { PluginMetricsClient } = await import(`${location.href}client.min.js`);
    const client = new PluginMetricsClient(baseUrl);
    const { name } = await client.getPlugin(1337);
    const points = await client.readChartData(1337, 'players', { maxElements: 2 });
    // Nothing has this id.
    const { status, problem } = await client.getPlugin(4).catch((error: unknown) => error);
    return { name, points, status, title: problem.title };
  }, server);
  assert.deepEqual(answers, {
    name: 'ExamplePlugin',
    points: [
      [1782860400000, 4254],
      [1782862200000, 3883],
    ],
    status: 404,
    title: 'Unknown plugin',
  });
});
