/** Renders records as lines of an archive, in parts, because a line may be megabytes long. */
import type { MetricsRecord } from '../model/metrics-record.ts';
import {
  beforePoints,
  dataJson,
  historyPieces,
  type RecordWithoutPlace,
  recordJson,
} from '../model/record-json.ts';
import { renderRuns } from './points-json.ts';
import { TextParts } from './text-parts.ts';

/** A record between the header and the end record of an archive. */
export type RecordToWrite = RecordWithoutPlace<Exclude<MetricsRecord, { kind: 'archive' | 'end' }>>;

/** Renders a record with its line end. @param typeName chart type; required for data and history records. */
export function* renderRecord(record: RecordToWrite, typeName = ''): Generator<string | Uint8Array> {
  if (record.kind === 'data') {
    const data = record.dataFor(typeName);
    if (data.storage === 'latest') yield `${dataJson(record, { json: data.json, at: record.at })}\n`;
    else {
      yield beforePoints(record);
      yield* renderRuns([data.points]);
      yield '}\n';
    }
  } else if (record.kind === 'history') {
    const json = new TextParts();
    for (const piece of historyPieces(record, record.historyFor(typeName)))
      if (typeof piece === 'string') json.text(piece);
      else yield* json.numbers(piece);
    yield json.take();
    yield '\n';
  } else yield `${recordJson(record)}\n`;
}
