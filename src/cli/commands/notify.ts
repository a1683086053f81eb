/** `notify`: sends what is new in the feeds of plugins to a webhook. */
import { renameSync, writeFileSync } from 'node:fs';
import { AppError, quote } from '../../model/app-error.ts';
import { oneOf } from '../../model/parameter.ts';
import type { Store } from '../../model/store.ts';
import { writeFault } from '../../runtime/system-faults.ts';
import { command } from '../command.ts';
import { counted, errorText, hideInMessages, printMessage, printResult, sayNextRun } from '../output.ts';
import {
  durationSetting,
  fileName,
  flagSetting,
  pluginId,
  readText,
  realPath,
  refuseSameFile,
  several,
  storeSetting,
} from '../settings.ts';
import { onStop } from '../stopping.ts';
import { Webhook, type WebhookEntry } from '../webhook.ts';
import { serveSettings } from './serve.ts';

const webhookAddress = {
  allowed: 'the whole address of a webhook, which begins with https:// or http://',
  parse: (text: string) => {
    const url = URL.parse(text);
    const isWhole = /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.password === '';
    return isWhole ? url : undefined;
  },
};

export const notify = command({
  summary: 'send what is new in the feeds of plugins to a webhook',
  settings: {
    store: storeSetting,
    plugin: {
      help: 'plugins whose news to send, separated by commas; may be repeated',
      isRepeatable: true,
      isRequired: true,
      ...several(pluginId),
    },
    webhook: {
      placeholder: 'URL',
      help: 'the address to send to; others can see it in the list of processes, unlike --webhook-file',
      isSecret: true,
      ...webhookAddress,
    },
    webhookFile: {
      placeholder: 'FILE',
      help: 'a file with the address to send to',
      ...fileName,
    },
    state: {
      placeholder: 'FILE',
      help: 'the file that remembers what was sent; made by the first run, which sends nothing',
      isRequired: true,
      ...fileName,
    },
    format: {
      placeholder: 'FORMAT',
      help: 'json for an entry as in feed.json, or discord for a message',
      default: 'json',
      ...oneOf<'json' | 'discord'>(['json', 'discord']),
    },
    publicUrl: {
      ...serveSettings.publicUrl,
      help: 'the public address of the server, for links to its pages',
    },
    all: { ...flagSetting('also send what there is at the first run'), isOptionOnly: true },
    every: { help: 'repeat at this interval: 30m, 12h, 1d', ...durationSetting },
  },
  async run({ store, plugin, webhook, webhookFile, state, every: everyMs, ...options }, _, refuse) {
    if ((webhook === undefined) === (webhookFile === undefined))
      refuse('say where to send to: either --webhook URL or --webhook-file FILE');
    const written = [state, `${state}.new`];
    refuseSameFile(refuse, store, ...written);
    if (webhookFile !== undefined && written.map(realPath).includes(realPath(webhookFile)))
      refuse(`--state ${state} would replace the file with the address: no command writes what it reads`);
    const address = webhook ?? readAddress(webhookFile ?? '');
    hideInMessages([address.href, address.pathname + address.search]);
    const { systemClock: clock } = await import('../../client/retry.ts');
    const stop = new AbortController();
    using _stopping = onStop((exitCode) => {
      process.exitCode = exitCode;
      stop.abort();
    });
    const { signal } = stop;
    const sender = new Webhook({ address, format: options.format, clock, signal });
    const run = () => sendNews({ ...options, store, state, sender, pluginIds: [...new Set(plugin)] });
    if (everyMs === undefined) {
      if (!(await run()) && !signal.aborted) process.exitCode = 1;
      return;
    }
    const { repeat } = await import('../../mirror/schedule.ts');
    const onFailure = (error: AppError) => printMessage(`error: ${errorText(error)}`);
    await repeat({ everyMs, clock, signal, run, onFailure, onWait: sayNextRun });
    process.exitCode = 0;
  },
});

/** Ids of entries that were sent, by plugin, the newest last. */
type SentIds = Readonly<Record<string, readonly string[]>>;

/** Maximum number of ids to remember of a plugin: ten times what a feed has. */
const maxIds = 1000;

interface NewsOptions {
  readonly store: Store;
  readonly pluginIds: readonly number[];
  readonly state: string;
  readonly publicUrl: string | undefined;
  readonly all: boolean;
  readonly sender: Webhook;
}

/**
 * Sends all entries that the file does not have, the oldest first. Returns false if an entry could not be
 * sent.
 */
async function sendNews({ store, pluginIds, state, publicUrl, all, sender }: NewsOptions): Promise<boolean> {
  const { loadFeed } = await import('../../site/feed/load-feed.ts');
  const { jsonFeedItem } = await import('../../site/feed/feeds.ts');
  const { pluginPath } = await import('../../site/address/paths.ts');
  await using reader = await store.openReader();
  let sent = readState(state);
  const note = (pluginId: number, ids: readonly string[]) => {
    sent = { ...sent, [pluginId]: [...(sent[pluginId] ?? []), ...ids].slice(-maxIds) };
  };
  const news: { readonly updated: number; readonly entry: WebhookEntry }[] = [];
  for (const pluginId of pluginIds) {
    const { plugin, entries } = await reader.read((view) => loadFeed(view, pluginId));
    const { id, name } = plugin;
    const oldestFirst = entries.toReversed();
    if (sent[id] === undefined && !all) {
      note(
        id,
        oldestFirst.map((entry) => entry.id),
      );
      printResult(`plugin ${id}: noted ${counted(entries.length, 'item')} as sent`);
    }
    const page = publicUrl && publicUrl + pluginPath(plugin);
    for (const entry of oldestFirst)
      if (!sent[id]?.includes(entry.id))
        news.push({
          updated: entry.updated,
          entry: { ...jsonFeedItem(entry, page), plugin: { id, name } },
        });
  }
  // Shows before the first entry is sent whether the file can be written.
  writeState(state, sent);
  let sentCount = 0;
  for (const { entry } of news.sort((a, b) => a.updated - b.updated)) {
    const outcome = await sender.send(entry);
    if (outcome === 'stopped') break;
    if (outcome === 'refused') continue;
    note(entry.plugin.id, [entry.id]);
    writeState(state, sent);
    sentCount++;
  }
  printResult(`sent ${counted(sentCount, 'item')} to ${sender.host}`);
  const leftCount = news.length - sentCount;
  if (leftCount > 0) printMessage(`error: ${counted(leftCount, 'item')} left to the next run`);
  return leftCount === 0;
}

/** @throws AppError `invalid` for a file that cannot be read or has no address; its text is in no message. */
function readAddress(file: string): URL {
  const address = webhookAddress.parse(readText(file).trim());
  if (address !== undefined) return address;
  throw new AppError('invalid', `it must have ${webhookAddress.allowed}`, { place: file });
}

/** Reads what was sent; nothing without the file. @throws AppError `invalid`. */
function readState(file: string): SentIds {
  const text = readText(file, '{}');
  try {
    const sent: unknown = JSON.parse(text);
    if (areSentIds(sent)) return sent;
  } catch {
    // Falls through to the same error as for other JSON.
  }
  throw new AppError('invalid', `it is no state of notify: ${quote(text.slice(0, 40))}`, { place: file });
}

function areSentIds(sent: unknown): sent is SentIds {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return false;
  return Object.values(sent).every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string'));
}

/** Replaces the file in one step. @throws AppError `unavailable`. */
function writeState(file: string, sent: SentIds): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(sent), { flush: true });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new AppError('unavailable', writeFault(file, error as Error), { place: file, cause: error });
  }
}
