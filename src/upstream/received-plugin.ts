/** A plugin from another server, ready to be written, independent of how it was received. */
import type { RecordSource, SoftwareFields } from '../model/metrics-record.ts';
import type { CopyRules } from './copy-rules.ts';
import type { UpstreamSoftware } from './parse-lists.ts';

/** Fields of a plugin that determine its software. */
export interface SoftwareUser {
  readonly id: number;
  readonly isGlobal: boolean;
  readonly software: UpstreamSoftware;
}

/** A received plugin. Disposing of it frees its memory or file. */
export interface ReceivedPlugin extends AsyncDisposable {
  readonly id: number;
  /** URL of the plugin, for messages. */
  readonly place: string;
  /**
   * Makes the records of the plugin and its software for one transaction, without data that was removed from
   * the store in the meantime.
   * @param choose chooses the software to write; `listed` is its element of the software list.
   */
  readonly source: (
    choose: (plugin: SoftwareUser, listed: SoftwareFields | undefined) => SoftwareFields,
    copyRules: CopyRules,
  ) => RecordSource;
}
