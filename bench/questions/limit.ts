/**
 * Question 304: conditional requests, compared with a bare loop on Node's server that writes the prepared
 * response.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { alternateLoads } from '../beside/answers.ts';
import { catalogue, wholeStore } from '../beside/data.ts';
import { dataPath, exampleLine } from '../data/catalogue.ts';
import { startListening, startServe } from '../harness/server.ts';
import { atLeast, type Bench, type Finding, medianOf, type Question } from '../question.ts';

/** Questions of this file. */
export const limit: readonly Question[] = [
  { id: '304', title: 'a month that the client has, beside a bare loop on Node', measure: besideBareLoop },
];

const main = fileURLToPath(new URL('../harness/bare-loop.ts', import.meta.url));

async function besideBareLoop(bench: Bench): Promise<readonly Finding[]> {
  const path = dataPath(exampleLine(catalogue));
  const store = await wholeStore(bench);
  const ratios: number[] = [];
  for (let round = 1; round <= 5; round++) {
    await using server = await startServe(bench, store);
    await using loop = await startListening(bench, [await notModified(server.url + path)], { main });
    const { present, earlier } = await alternateLoads(
      { present: bench, earlier: bench },
      { present: server, earlier: loop },
      { requests: () => [{ path }], status: 304 },
    );
    bench.say(`round ${round}: ${present.toFixed(0)} and ${earlier.toFixed(0)} answers per CPU second`);
    ratios.push(present / earlier);
  }
  return [{ what: 'ratio', unit: '', figure: medianOf(ratios, Number), demand: atLeast(0.9) }];
}

/** Requests a 304 and returns the message. */
async function notModified(url: string): Promise<string> {
  const [answer]: IncomingMessage[] = await once(get(url, { headers: { 'if-none-match': '*' } }), 'response');
  const { statusCode, statusMessage, rawHeaders = [] } = answer?.resume() ?? {};
  const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`;
}
