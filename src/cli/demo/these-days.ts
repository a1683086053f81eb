/** The sample of these days: the archive, shifted by whole weeks, and cut at the present. */
import { renderShares, storageOf } from '../../model/chart-forms.ts';
import type { ShareValue } from '../../model/forms/share-values.ts';
import { dayMs } from '../../model/window.ts';

const weekMs = 7 * dayMs;

/** The last moment of the sample: a Tuesday. */
const sampleEndMs = Date.UTC(2026, 5, 30, 23, 30);

/** The archive, and the time of its oldest point, in Unix milliseconds, which tells its week from others. */
interface ShiftedSample {
  readonly text: string;
  readonly oldestPointMs: number;
}

/**
 * Shifts the text of the archive to the first Tuesday, 23:30 UTC, that is not before a time, and leaves out
 * what is after that time. A chart of shares then shows what its history has last.
 */
export function sampleUntil(nowMs: number, text: string): ShiftedSample {
  const shiftMs = Math.ceil((nowMs - sampleEndMs) / weekMs) * weekMs;
  const shifter = new Shifter(shiftMs, nowMs);
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const kept = lines.slice(0, -1).flatMap((line) => shifter.shift(line) ?? []);
  const end = JSON.stringify({ record: 'end', records: kept.length });
  return { text: `${[header, ...kept, end].join('\n')}\n`, oldestPointMs: shifter.oldestPointMs };
}

/** The members of records that have times. */
interface TimedRecord {
  readonly record: string;
  readonly pluginId: number;
  readonly chartId: string;
  readonly type: string;
  readonly time: number;
  readonly at?: number;
  readonly data: readonly (readonly [timestampMs: number, value: number])[];
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

interface Series {
  readonly group?: string;
  readonly name: string;
  readonly values: readonly number[];
}

/**
 * Shifts one line after the other. Charts come before their histories, histories before data, and the points
 * of a plugin before its shares.
 */
class Shifter {
  readonly #shiftMs: number;
  readonly #nowMs: number;
  readonly #types = new Map<string, string>();
  /** The latest data of charts of shares, as text, and their time. */
  readonly #latest = new Map<string, { readonly at: number; readonly data: string }>();
  /** Plugins with points: the youngest one begins in the last week, and has nothing before. */
  readonly #begun = new Set<number>();
  oldestPointMs = Number.POSITIVE_INFINITY;

  constructor(shiftMs: number, nowMs: number) {
    this.#shiftMs = shiftMs;
    this.#nowMs = nowMs;
  }

  /** The shifted line; undefined for one of which nothing is left. */
  shift(line: string): string | undefined {
    const record: TimedRecord = JSON.parse(line);
    switch (record.record) {
      case 'chart':
        this.#types.set(keyOf(record), record.type);
        return line;
      case 'history':
        return this.#shiftHistory(record);
      case 'data':
        if (record.at !== undefined) return this.#shiftShares(line, record);
        if (storageOf(this.#types.get(keyOf(record)) ?? '') === 'points') return this.#shiftPoints(record);
        return this.#begun.has(record.pluginId) ? line : undefined;
      case 'event': {
        const time = record.time + this.#shiftMs;
        return time > this.#nowMs ? undefined : JSON.stringify({ ...record, time });
      }
      default:
        return line;
    }
  }

  #shiftHistory(record: TimedRecord): string | undefined {
    const times = record.times.map((time) => time + this.#shiftMs).filter((time) => time <= this.#nowMs);
    const last = times.length - 1;
    const at = times[last];
    if (at === undefined) return undefined;
    const shares = record.series.flatMap(({ group = null, name, values }): ShareValue[] => {
      const value = values[last] ?? 0;
      return value === 0 ? [] : [[{ group, name }, value]];
    });
    const type = this.#types.get(keyOf(record)) ?? '';
    this.#latest.set(keyOf(record), { at, data: renderShares(type, shares) });
    const series = record.series.map((one) => ({ ...one, values: one.values.slice(0, times.length) }));
    return JSON.stringify({ ...record, times, series });
  }

  #shiftShares(line: string, record: TimedRecord): string | undefined {
    const at = (record.at ?? 0) + this.#shiftMs;
    if (at <= this.#nowMs) return line.replace(/"at":\d+\}$/, `"at":${at}}`);
    const latest = this.#latest.get(keyOf(record));
    const { pluginId, chartId } = record;
    return (
      latest &&
      JSON.stringify({ record: 'data', pluginId, chartId, data: JSON.parse(latest.data), at: latest.at })
    );
  }

  #shiftPoints(record: TimedRecord): string | undefined {
    const data = record.data
      .map(([time, value]) => [time + this.#shiftMs, value])
      .filter(([time = 0]) => time <= this.#nowMs);
    const [[first] = []] = data;
    if (first === undefined) return undefined;
    this.oldestPointMs = Math.min(this.oldestPointMs, first);
    this.#begun.add(record.pluginId);
    return JSON.stringify({ ...record, data });
  }
}

function keyOf({ pluginId, chartId }: TimedRecord): string {
  return `${pluginId}/${chartId}`;
}
