/** Runs the program once for each case on standard input, in this process, and prints the output of each. */
import { text } from 'node:stream/consumers';
import { runProgram } from '../../../src/cli/program.ts';

const cases: readonly { readonly argv: readonly string[]; readonly store?: string }[] = JSON.parse(
  await text(process.stdin),
);
const print = process.stdout.write.bind(process.stdout);
let said = '';
for (const stream of [process.stdout, process.stderr]) {
  stream.setMaxListeners(0);
  stream.write = (chunk: string | Uint8Array) => {
    said += String(chunk);
    return true;
  };
}
// `serve` ends its process a second after a failure, and more cases follow.
Object.assign(process, { exit: () => {} });
const outputs: string[] = [];
for (const { argv, store } of cases) {
  said = '';
  if (store === undefined) delete process.env['PLUGIN_METRICS_STORE'];
  else process.env['PLUGIN_METRICS_STORE'] = store;
  await runProgram(argv);
  outputs.push(said);
}
process.exitCode = 0;
print(JSON.stringify(outputs));
