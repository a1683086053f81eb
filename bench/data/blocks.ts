/** Text and points written into blocks of bytes: the inner loop of making data. */

const comma = 0x2c;
const open = 0x5b;
const close = 0x5d;
const zero = 0x30;

/** Larger than anything that is written between two looks at whether a block is full. */
const reserveBytes = 1024 * 1024;
const blockBytes = 1024 * 1024;

// "[1735689600000,100000]," at its longest.
const maxEntryBytes = 23;
const timestampDigits = 13;

/** Points that one record holds, as `export` writes them. */
export const pointsPerRecord = 5000;

/** A block that is being filled. */
export class BlockBuffer {
  #bytes = Buffer.allocUnsafe(blockBytes + reserveBytes);
  #at = 0;

  /** Writes ASCII text of less than a mebibyte. */
  text(text: string): void {
    this.#at += this.#bytes.write(text, this.#at, 'latin1');
  }

  /**
   * Writes `[timestamp,value],` for every slot that has a value, without the last comma.
   * @param line.times 13 digits for every slot, one after the other.
   */
  points(line: { readonly times: Uint8Array; readonly values: Int32Array }): void {
    if (line.values.length > pointsPerRecord) throw new RangeError('too many points for one record');
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    for (let slot = 0; slot < line.values.length; slot++) {
      const value = line.values[slot] ?? -1;
      if (value < 0) continue;
      bytes[at++] = open;
      const from = slot * timestampDigits;
      for (let digit = 0; digit < timestampDigits; digit++) bytes[at++] = line.times[from + digit] ?? zero;
      bytes[at++] = comma;
      at = writeDigits(bytes, value, at);
      bytes[at++] = close;
      bytes[at++] = comma;
    }
    this.#at = at === start ? at : at - 1;
  }

  /** The block if it is full, which starts the next one. */
  take(): Uint8Array | undefined {
    return this.#at < blockBytes ? undefined : this.takeRest();
  }

  /** What has been written since the last block. */
  takeRest(): Uint8Array {
    const block = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafe(blockBytes + reserveBytes);
    this.#at = 0;
    return block;
  }
}

/** The times of slots as digits, for {@link BlockBuffer.points}. */
export function timeDigits(options: {
  readonly firstTimestamp: number;
  readonly slotCount: number;
  readonly slotMs: number;
}): Uint8Array {
  const times = Buffer.alloc(options.slotCount * timestampDigits);
  for (let slot = 0; slot < options.slotCount; slot++) {
    times.write(String(options.firstTimestamp + slot * options.slotMs), slot * timestampDigits, 'latin1');
  }
  return times;
}

/** The part of the times that belongs to slots from `start` up to `end`. */
export function sliceTimes(times: Uint8Array, start: number, end: number): Uint8Array {
  return times.subarray(start * timestampDigits, end * timestampDigits);
}

function writeDigits(bytes: Uint8Array, value: number, offset: number): number {
  let digitCount = 1;
  for (let rest = value; rest >= 10; rest = (rest / 10) | 0) digitCount++;
  let rest = value;
  for (let at = offset + digitCount - 1; at >= offset; at--) {
    const tenth = (rest / 10) | 0;
    bytes[at] = zero + rest - tenth * 10;
    rest = tenth;
  }
  return offset + digitCount;
}

if (maxEntryBytes * pointsPerRecord > reserveBytes) throw new RangeError('a record must fit the reserve');
