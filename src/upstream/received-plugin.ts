/** A plugin of another server as a run writes it, however it was received. */
import type { RecordSource, SoftwareFields } from '../model/metrics-record.ts';
import type { CopyRules } from './copy-rules.ts';
import type { UpstreamSoftware } from './parse-software.ts';

/** The fields of a plugin that its software is chosen by. */
export interface SoftwareUser {
  readonly id: number;
  readonly isGlobal: boolean;
  readonly software: UpstreamSoftware;
}

/** A received plugin. Disposing of it frees what it holds. */
export interface ReceivedPlugin extends AsyncDisposable {
  readonly id: number;
  /** Its URL, for messages. */
  readonly place: string;
  /**
   * Makes the records of the plugin and its software, for one transaction, without what was removed from the store meanwhile.
   * @param choose finds the software to write; `listed` is its element of a software list.
   */
  readonly source: (
    choose: (plugin: SoftwareUser, listed: SoftwareFields | undefined) => SoftwareFields,
    copyRules: CopyRules,
  ) => RecordSource;
}
