/** Sends entries of feeds to a webhook, whose address is a secret. */
import { type Clock, mayPass, waitMsBefore } from '../client/retry.ts';
import { printMessage } from './output.ts';

/** An entry of a feed, and the plugin that it is of. */
export interface WebhookEntry {
  readonly id: string;
  readonly url: string | undefined;
  readonly title: string;
  readonly content_text: string;
  readonly date_modified: string;
  readonly plugin: { readonly id: number; readonly name: string };
}

interface WebhookOptions {
  readonly address: URL;
  readonly format: 'json' | 'discord';
  readonly clock: Clock;
  /** Ends waits; a request that was sent is waited for. */
  readonly signal: AbortSignal;
}

const maxAttempts = 5;
const timeoutMs = 30_000;

/** A webhook. */
export class Webhook {
  readonly host: string;
  readonly #options: WebhookOptions;

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.host = options.address.host;
  }

  /**
   * Sends an entry, and again after a failure that may pass. `refused`: this entry is not wanted, but others
   * may be; `stopped`: none can be sent now.
   */
  async send(entry: WebhookEntry): Promise<'sent' | 'refused' | 'stopped'> {
    const { address, format, clock, signal } = this.#options;
    const body = JSON.stringify(format === 'json' ? entry : discordMessage(entry));
    for (let retry = 0; !signal.aborted; retry++) {
      let status: number | undefined;
      let retryAfter: string | null = null;
      let reason = 'does not answer';
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body,
          // The address is a secret of this server, and no other host may get the entry.
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        });
        await response.body?.cancel();
        ({ status } = response);
        if (response.ok) return 'sent';
        retryAfter = response.headers.get('retry-after');
        reason = `answered ${status}`;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
      }
      const waitMs = mayPass(status) ? waitMsBefore(retry, { retryAfter, clock }) : undefined;
      if (waitMs === undefined || retry + 1 === maxAttempts) {
        printMessage(`error: ${this.host} ${reason}`);
        return isOfEntry(status) ? 'refused' : 'stopped';
      }
      try {
        await clock.wait(waitMs, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
    return 'stopped';
  }
}

/** True for a status that speaks of the body. */
function isOfEntry(status: number | undefined): boolean {
  return status === 400 || status === 413 || status === 422;
}

/** Makes a message with one embed, within the limits of Discord, that mentions nobody. */
function discordMessage({ plugin, url, title, content_text, date_modified }: WebhookEntry): object {
  const embed = {
    author: { name: cut(plugin.name, 256) },
    title: cut(plain(title), 256),
    // Discord refuses an empty text, and the whole message for an address that it cannot parse.
    ...(content_text === '' ? {} : { description: cut(plain(content_text), 4096) }),
    url: URL.parse(url ?? '')?.href,
    timestamp: date_modified,
  };
  return { allowed_mentions: { parse: [] }, embeds: [embed] };
}

/** Escapes Markdown and mentions. */
function plain(text: string): string {
  return text.replace(/[\\`*_~|<>[\]()#@-]/g, '\\$&');
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}
