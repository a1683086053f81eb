/** `demo`: serves the sample of these days, beside a collector with a small fleet. */
import { parseIsoTime } from '../../model/iso-time.ts';
import { command } from '../command.ts';
import { fileName } from '../settings.ts';
import { serveSettings } from './serve.ts';

const { host, port } = serveSettings;

export const demo = command({
  summary: 'serve a sample of these days, and collect reports of a small fleet, until SIGTERM or SIGINT',
  settings: {
    folder: {
      placeholder: 'FOLDER',
      help: 'where the stores of the demo are made; the next run finds or replaces them',
      default: 'plugin-metrics-demo',
      ...fileName,
    },
    host,
    port,
    collectorPort: { ...port, help: 'the port of the collector; 0 picks a free port', default: '8090' },
    pagesPort: {
      ...port,
      help: 'the port of the server that shows what was collected; 0 picks a free port',
      default: '8091',
    },
    now: {
      placeholder: 'TIME',
      help: 'show the sample as of this time instead of the present',
      allowed: 'a time such as 2026-06-30T23:30Z',
      parse: (text) => parseIsoTime(text)?.timestamp,
    },
  },
  async run({ now = Date.now(), ...options }) {
    const { runDemo } = await import('../demo/run-demo.ts');
    process.exitCode = await runDemo({ ...options, nowMs: now });
  },
});
