/** Changes the catalogue of a store, in one transaction with the reads that the change depends on. */
import { AppError, quote } from '../model/app-error.ts';
import type { Owner } from '../model/catalogue.ts';
import type { MetricsRecord, PluginFields } from '../model/metrics-record.ts';
import type { FreeIds, StoreWriter } from '../model/metrics-writer.ts';
import type { Store } from '../model/store.ts';
import { printMessage, printResult } from './output.ts';
import { stopOnSignals } from './stopping.ts';

/** A change of the catalogue. */
export interface Registration {
  /** Without records, nothing is written. */
  readonly records: readonly MetricsRecord[];
  /** The line for standard output, or several. */
  readonly result?: string | readonly string[];
  /** The line for standard error. */
  readonly message: (verbs: Verbs) => string;
}

/** The verbs for what was done, or for what a dry run would do. */
interface Verbs {
  readonly add: string;
  readonly change: string;
}

interface RegisterOptions {
  readonly store: Store;
  readonly dryRun: boolean;
  readonly latestTimestamp?: number;
  readonly makesStore?: boolean;
}

/**
 * Plans a change and makes it, or with `dryRun` only shows it.
 * @param latestTimestamp the latest time that an event may have, in Unix milliseconds.
 * @param makesStore true to make a store that is missing; otherwise it is refused.
 * @param plan gets the catalogue, which no other writer can change meanwhile, and free ids.
 * @throws AppError of the store and of `plan`.
 */
export async function register(
  { store, dryRun, latestTimestamp, makesStore = false }: RegisterOptions,
  plan: (view: StoreWriter['view'], ids: FreeIds) => Promise<Registration>,
): Promise<void> {
  using stopping = stopOnSignals();
  await using writer = await store.openWriter({ latestTimestamp, makesStore });
  const { records, result, message } = await plan(writer.view, await writer.findFreeIds());
  if (records.length > 0) {
    await writer.write([...records, { place: store.name, kind: 'end' }]);
    if (!dryRun) await stopping.commit(writer);
  }
  for (const line of [result ?? []].flat()) printResult(line);
  printMessage(
    message(dryRun ? { add: 'would add', change: 'would change' } : { add: 'added', change: 'changed' }),
  );
}

/** Finds the owner with this name and the lowest id; if there is none, makes one with a free id. */
export async function ownerNamed(
  name: string,
  view: StoreWriter['view'],
  { ownerId }: FreeIds,
): Promise<Owner> {
  let found: Owner | undefined;
  for await (const plugins of view.listPlugins()) {
    for (const { owner } of plugins)
      if (owner.name === name && owner.id <= (found?.id ?? owner.id)) found = owner;
  }
  return found ?? { id: ownerId, name };
}

/**
 * Refuses a second plugin of the same name, owner and software.
 * @param plugin its id is that of the plugin itself, or a free one.
 * @throws AppError `conflict` naming the other one.
 */
export async function refuseTwin(
  view: StoreWriter['view'],
  { id, name, owner, softwareId }: Omit<PluginFields, 'isGlobal'>,
): Promise<void> {
  for await (const plugins of view.listPlugins())
    for (const other of plugins)
      if (
        other.name === name &&
        other.id !== id &&
        other.owner.id === owner.id &&
        other.software.id === softwareId
      )
        throw new AppError(
          'conflict',
          `plugin ${other.id} has the name ${quote(name)}, the same owner and the same software; --allow-duplicate accepts another one`,
        );
}
