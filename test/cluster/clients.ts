/** The clients of a cluster, and what each has seen: an importer, a reporter, and a reader of each node. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { sendReport } from '../collect/collecting.ts';
import { importInto } from '../contracts/store-contract.ts';
import { archiveText, chartLine, dataLine, pluginLine } from '../support/archive-text.ts';
import { runProcess } from '../support/run-program.ts';

/** The charts that are imported and read; every import gives all of them the same point. */
export const chartIds: readonly string[] = ['a', 'b', 'c'];

const firstTime = Date.UTC(2025, 0, 1);
const stepMs = 1_800_000;
/** After the last import, and before the slots of collectors, in which lines without reports get 0. */
const readUntil = Date.UTC(2026, 0, 1);

/** A client that repeats its work, and measures its pauses. */
export interface Client {
  /** Forgets what was measured. */
  readonly startTurn: () => void;
  /** Longest time between two successes of the turn, or since the last one. */
  readonly longestGapMs: () => number;
  readonly stop: () => Promise<void>;
}

/** Repeats until stopped; each success is noted. */
function repeat(pauseMs: number, once: () => Promise<boolean>): Client {
  let isStopped = false;
  let longestMs = 0;
  let succeededAt = performance.now();
  const gapMs = () => Math.max(longestMs, performance.now() - succeededAt);
  const working = (async () => {
    while (!isStopped) {
      if (await once()) {
        longestMs = gapMs();
        succeededAt = performance.now();
      }
      await sleep(pauseMs);
    }
  })();
  // Awaited at the end.
  working.catch(() => {});
  return {
    startTurn: () => {
      longestMs = 0;
      succeededAt = performance.now();
    },
    longestGapMs: gapMs,
    stop: () => {
      isStopped = true;
      return working;
    },
  };
}

/** Imports one point after the other with the program, each until its import ends well. */
export async function startImporter(store: string) {
  const charts = chartIds.map((chartId, index) => chartLine({ chartId, uid: 700 + index }));
  await importInto(parseStoreName(store), archiveText([pluginLine(), ...charts]));
  const stored: number[] = [];
  const failures: string[] = [];
  const faults: string[] = [];
  let time = firstTime;
  const client = repeat(100, async () => {
    const input = archiveText(chartIds.map((chartId) => dataLine(chartId, `[[${time},${time}]]`)));
    const { code, stderr } = await runProcess(['import', '--store', store, '-'], { input });
    if (code === 0) {
      stored.push(time);
      time += stepMs;
    } else {
      failures.push(stderr);
      if (code !== 1 || !/^error: the store postgres:\/\/\S+ /m.test(stderr))
        faults.push(`import: ${code} ${stderr}`);
    }
    return code === 0;
  });
  return { ...client, stored, failures, faults };
}

/** Reads all charts from a node, each time with another window, so that no answer is cached. */
export function startWatch(url: string) {
  const faults: string[] = [];
  let latest = firstTime;
  let answered = 0;
  let refused = 0;
  let turn = 0;
  let refusal = '';
  const charts = chartIds.map((chartId) => `7:${chartId}`).join();
  const client = repeat(20, async () => {
    const window = `from=${firstTime - turn++}&to=${readUntil}`;
    const response = await fetch(`${url}/api/v2/series?charts=${charts}&${window}`);
    const text = await response.text();
    if (response.status === 503) {
      refused++;
      refusal = text;
      if (response.headers.get('retry-after') === null) faults.push('503 without Retry-After');
      return false;
    }
    if (response.status !== 200) {
      faults.push(`${response.status} ${text}`);
      return false;
    }
    answered++;
    const { series }: { readonly series: readonly { readonly values: readonly number[] }[] } =
      JSON.parse(text);
    const times = series.map(({ values }) => values.at(-1) ?? firstTime);
    if (new Set(times).size > 1) faults.push(`charts of several states: ${times}`);
    const [time = firstTime] = times;
    if (time < latest) faults.push(`an answer went back from ${latest} to ${time}`);
    latest = time;
    return true;
  });
  return {
    ...client,
    faults,
    latest: () => latest,
    answered: () => answered,
    refusal: () => refusal,
    refused: () => refused,
  };
}

/** A slot as its reporter knows it. */
interface ReportedSlot {
  /** Servers whose report was accepted for sure, and servers whose report may have been. */
  readonly accepted: Set<string>;
  readonly perhaps: Set<string>;
  /** Times of accepted reports. */
  readonly acceptedAt: number[];
}

/**
 * The parts of a slot that some collector has covered for sure: a collector covers the present part each
 * second, if it can write. Reports were accepted for longer than that, without a pause.
 */
function surePartsOf(acceptedAt: readonly number[], slotMs: number): number {
  const partOf = (time: number) => Math.floor((30 * time) / slotMs);
  const sure = new Set<number>();
  let [start = 0] = acceptedAt;
  let before = start;
  for (const time of acceptedAt) {
    if (time - before > 500 || partOf(time) !== partOf(start)) start = time;
    if (time - start > 1300) sure.add(partOf(time));
    before = time;
  }
  return sure.size;
}

/** Reports new servers, each to all collectors. */
export function startReporter(urls: readonly string[], slotMs: number) {
  const slots = new Map<number, ReportedSlot>();
  const firstSlot = Math.floor(Date.now() / slotMs);
  let count = 0;
  const statuses = urls.map(() => 0);
  const slotOf = (time: number) => {
    const index = Math.floor(time / slotMs);
    const slot = slots.get(index) ?? { accepted: new Set(), perhaps: new Set(), acceptedAt: [] };
    slots.set(index, slot);
    return slot;
  };
  const client = repeat(100, async () => {
    const server = randomUUID();
    const answers = urls.map(async (url, index) => {
      const sentAt = Date.now();
      const status = await sendReport(url, server).catch(() => 0);
      statuses[index] = status;
      const now = Date.now();
      // A report that takes long may belong to the slot before.
      const isSure = status === 202 && Math.floor(sentAt / slotMs) === Math.floor(now / slotMs);
      for (const slot of new Set([slotOf(sentAt), slotOf(now)]))
        (isSure ? slot.accepted : slot.perhaps).add(server);
      return status === 202;
    });
    const isAccepted = (await Promise.all(answers)).some(Boolean);
    if (isAccepted) {
      count++;
      const now = Date.now();
      slotOf(now).acceptedAt.push(now);
    }
    return isAccepted;
  });
  return {
    ...client,
    acceptedCount: () => count,
    /** The last status of each collector. */
    statuses,
    /** Compares the servers that the store has counted, by the start of their slot, with the reports. */
    judge: (counted: ReadonlyMap<number, number>) => {
      const judged = { counted: 0, leftOut: 0, faults: [] as string[] };
      for (const [index, { accepted, perhaps, acceptedAt }] of slots) {
        const servers = counted.get(index * slotMs);
        const most = new Set([...accepted, ...perhaps]).size;
        const sureParts = surePartsOf(acceptedAt, slotMs);
        const about = `slot ${index}: ${servers} servers of ${accepted.size} to ${most}, ${sureParts} parts covered`;
        if (servers !== undefined) {
          judged.counted++;
          if (servers < accepted.size || servers > most) judged.faults.push(about);
        } else {
          judged.leftOut++;
          // A tenth of its parts may be missing.
          if (index !== firstSlot && sureParts >= 27) judged.faults.push(about);
        }
      }
      return judged;
    },
  };
}
