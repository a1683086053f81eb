/** One request, its answer as it went over the wire: nothing is decoded. */
import { get } from 'node:http';

/** An answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

const timeoutMs = 60_000;

/** Asks once, on a connection of its own. */
export function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, timeout: timeoutMs }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      );
    });
    request.once('timeout', () =>
      request.destroy(new Error(`${url} did not answer within ${timeoutMs / 1000} s`)),
    );
    request.once('error', reject);
  });
}

/** Asks once. Rejects for anything but 200. */
export async function askGood(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const answer = await ask(url, headers);
  if (answer.status !== 200) {
    throw new Error(`${url} answered ${answer.status}: ${answer.bytes.toString('utf8', 0, 300)}`);
  }
  return answer;
}
