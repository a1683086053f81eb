/** Image requests with raw targets, which no client normalises. */
import type { IncomingHttpHeaders } from 'node:http';
import { exchange } from '../../../http/support/validated-client.ts';

/** A response. */
interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** Requests a target from a server. */
export async function ask(
  { url }: { readonly url: string },
  target: string,
  options: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Received> {
  const { status, headers, bytes } = await exchange(url, { target, ...options });
  return { status, headers: Object.fromEntries(headers), body: bytes, text: bytes.toString() };
}
