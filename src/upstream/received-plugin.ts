/** A plugin of another server as a run writes it, however it was received. */
import type { PluginFields, RecordSource, SoftwareFields } from '../model/metrics-record.ts';
import type { LeavingOut } from './leaving-out.ts';
import type { SoftwareReference } from './parse-software.ts';

/** A received plugin. Disposing of it frees what it holds. */
export interface ReceivedPlugin extends AsyncDisposable {
  /** Its URL, for messages. */
  readonly place: string;
  readonly fields: Omit<PluginFields, 'softwareId'> & { readonly software: SoftwareReference };
  /** The element of its software in a software list. */
  readonly listedSoftware: SoftwareFields | undefined;
  /** Makes the records of the plugin and its software, for one transaction, without what was removed from the store meanwhile. */
  readonly source: (software: SoftwareFields, leavingOut: LeavingOut) => RecordSource;
}
