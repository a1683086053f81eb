/** `mirror`: copies from another server of the interface, once or again and again. */
import { systemClock } from '../../client/retry.ts';
import { AppError } from '../../model/app-error.ts';
import { KeptBodies } from '../../upstream/kept-bodies.ts';
import { UpstreamLists } from '../../upstream/upstream-lists.ts';
import { UpstreamServer } from '../../upstream/upstream-server.ts';
import { checkManners } from '../mirror/manners.ts';
import { MirrorProgress } from '../mirror/mirror-progress.ts';
import { readPluginsFile } from '../mirror/plugin-ids.ts';
import { runMirror } from '../mirror/run-mirror.ts';
import { repeat } from '../mirror/schedule.ts';
import { printMessage, printResult } from '../output.ts';
import { userAgent } from '../package-version.ts';
import { startStatus } from '../progress.ts';
import type { OptionsOf } from '../setting.ts';
import type { mirrorSettings } from '../settings.ts';

/** Options of {@link mirrorServer}. */
export interface MirrorRequest extends OptionsOf<typeof mirrorSettings> {
  /** As `parseUpstreamAddress` gives it. */
  readonly address: string;
}

/**
 * Mirrors until it is done, or with `every` until a signal comes.
 * @returns whether all that was wanted is stored; with `every` true.
 * @throws AppError before the first request for a wrong request and for a store that cannot be written.
 */
export async function mirrorServer(request: MirrorRequest): Promise<boolean> {
  const listed = request.pluginsFile === undefined ? [] : readPluginsFile(request.pluginsFile);
  const { address, all: isAll, consent: hasConsent } = request;
  checkManners({ address, isAll, listedCount: listed.length, hasConsent });
  const ids = isAll ? undefined : [...new Set([...(request.plugin ?? []), ...listed])];
  // Better now than behind the first request.
  await (await request.store.openWriter())[Symbol.asyncDispose]();
  using stop = stopOnSignal();
  const mirror = new Mirror(request, { ids, signal: stop.signal });
  if (request.every === undefined) return await mirror.run();
  await repeat({
    everyMs: request.every,
    clock: systemClock,
    signal: stop.signal,
    run: () => mirror.runOrSayWhy(),
    onWait: (startAt) => printMessage(`next run at ${new Date(startAt).toISOString()}`),
  });
  return true;
}

class Mirror {
  readonly #request: MirrorRequest;
  readonly #ids: readonly number[] | undefined;
  readonly #signal: AbortSignal;
  readonly #bodies = new KeptBodies();
  #saidLeftOut: readonly string[] = [];

  constructor(
    request: MirrorRequest,
    { ids, signal }: { readonly ids: readonly number[] | undefined; readonly signal: AbortSignal },
  ) {
    this.#request = request;
    this.#ids = ids;
    this.#signal = signal;
  }

  /** @returns whether all that was wanted is stored. */
  async run(): Promise<boolean> {
    const { store, address, rate, concurrency, maxElements, trimLeadingZeros, again, allowFuture } =
      this.#request;
    const server = new UpstreamServer({
      address,
      rate,
      concurrency,
      userAgent: userAgent(),
      signal: this.#signal,
      bodies: this.#bodies,
    });
    const wanted = new Set(this.#ids);
    const progress = new MirrorProgress(() => server.requestCount);
    let said = '';
    using _ = startStatus(() => progress.statusLine());
    const onFailure = (error: AppError) => {
      const text = errorLine(error);
      // What is wrong with a list is wrong for every plugin that needs it.
      if (text !== said) printMessage(text);
      said = text;
    };
    await runMirror(
      {
        store,
        server,
        lists: new UpstreamLists((id) => this.#ids === undefined || wanted.has(id)),
        pluginIds: this.#ids,
        maxElements,
        givenSoftware: this.#request.software ?? [],
        trimsLeadingZeros: trimLeadingZeros,
        isAgain: again,
        allowsFuture: allowFuture,
        concurrency,
        signal: this.#signal,
        now: Date.now,
        onFailure,
      },
      progress,
    );
    this.#sayLeftOut(progress.leftOut.lines());
    if (progress.skippedCount > 0)
      printMessage(
        `error: ${address} does not answer: ${progress.skippedCount} plugins are left to the next run`,
      );
    if (progress.isInterrupted)
      printMessage(`stopped: what is stored stays, and the next run goes on from here`);
    printResult(progress.summary(store.name));
    return progress.isComplete;
  }

  /** Prints the lines that the run before did not: with `--every` most runs leave out the same. */
  #sayLeftOut(lines: readonly string[]): void {
    for (const line of lines) if (!this.#saidLeftOut.includes(line)) printMessage(line);
    this.#saidLeftOut = lines;
  }

  /** A run that fails, be it for days, is followed by the next. */
  async runOrSayWhy(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      printMessage(errorLine(error));
    }
  }
}

function errorLine({ place, message }: AppError): string {
  return `error: ${place === undefined ? '' : `${place}: `}${message}`;
}

/** The first SIGINT or SIGTERM aborts; the second one ends the process as if nobody listened. */
function stopOnSignal(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const stop = () => {
    for (const name of names) process.removeListener(name, stop);
    controller.abort();
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of names) process.removeListener(name, stop);
    },
  };
}
