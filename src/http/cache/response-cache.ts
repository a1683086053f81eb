/** Remembered answers, within a budget of bytes, and dropped as soon as the store has changed. */
import { LRUCache } from 'lru-cache';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { Question } from '../endpoint.ts';
import { maxJoinedBytes } from '../wire/message.ts';
import { tally } from '../wire/serving-counter.ts';
import type { ContentCoding } from './content-coding.ts';
import { HeavyLane, type SlicedWork } from './large-responses.ts';
import { Answer, type CodedAnswer } from './representation.ts';

// What an entry costs beside its bytes: the objects around them and its place in the table, and what allocator
// and garbage collector hold for bytes that come and go. Measured as resident memory under a mixed load.
const entryOverheadBytes = 1200;
const overheadFactor = 1.25;

/** What a cache needs. */
export interface AnswerCacheOptions {
  readonly reader: MetricsReader;
  /** How much the remembered answers may hold. */
  readonly budgetBytes: number;
  /** The header that the answers go out with. */
  readonly cacheControl: string;
}

/** Answers by key. */
export class AnswerCache {
  readonly #reader: MetricsReader;
  readonly #cacheControl: string;
  readonly #lane = new HeavyLane();
  readonly #answers: LRUCache<string, Answer>;
  /** Being read right now: simultaneous requests for one answer share the work. */
  readonly #pending = new Map<string, Promise<Answer>>();
  #generation: number | undefined;
  #isChecked = false;
  readonly #uncheck = () => {
    this.#isChecked = false;
  };

  constructor(options: AnswerCacheOptions) {
    this.#reader = options.reader;
    this.#cacheControl = options.cacheControl;
    this.#answers = new LRUCache({ maxSize: options.budgetBytes });
  }

  /** How long the store has been out of reach, and with it how old what is remembered may be. */
  ageSeconds(): number {
    return Math.floor(this.#reader.unreachableMs() / 1000);
  }

  /** The remembered answer; throws as the reader does. */
  find(key: string): Answer | undefined {
    this.#dropOutdated();
    return this.#answers.get(key);
  }

  /** The answer to a question, remembered or read now; rejects as the reader does. */
  async get(question: Question): Promise<Answer> {
    const remembered = this.find(question.key);
    const found = remembered ?? this.#pending.get(question.key);
    if (found === undefined) return this.#read(question);
    const answer = await found;
    tally[remembered === undefined ? 'shared' : 'remembered']++;
    return answer;
  }

  /** How many answers are remembered. */
  get answerCount(): number {
    return this.#answers.size;
  }

  /** What they take, in bytes. */
  get sizeBytes(): number {
    return this.#answers.calculatedSize;
  }

  /** The answer in a coding that was not at hand; what is remembered is from then on counted with it. */
  async encode(key: string, answer: Answer, coding: ContentCoding): Promise<CodedAnswer> {
    const coded = await answer.get(coding);
    if (this.#answers.peek(key) === answer) this.#remember(key, answer);
    return coded;
  }

  /**
   * Asks for the generation once in a turn of the event loop: the requests of one turn had all been sent when
   * it began, so that none of them can know of a write that finished later.
   */
  #dropOutdated(): void {
    if (this.#isChecked) return;
    const generation = this.#reader.generation('data');
    this.#isChecked = true;
    setImmediate(this.#uncheck);
    if (generation === this.#generation) return;
    if (this.#generation !== undefined) tally.storeChangeCount++;
    this.#generation = generation;
    this.#answers.clear();
    this.#pending.clear();
  }

  async #read(question: Question): Promise<Answer> {
    const generation = this.#generation;
    const reading =
      question.isHeavy === true ? this.#lane.run(() => this.#makeInSlices(question)) : this.#make(question);
    this.#pending.set(question.key, reading);
    try {
      const answer = await reading;
      tally.read++;
      // What was read across a change may be of before it: it is answered, but not remembered.
      if (generation === this.#generation) this.#remember(question.key, answer);
      return answer;
    } finally {
      if (this.#pending.get(question.key) === reading) this.#pending.delete(question.key);
    }
  }

  async #make(question: Question): Promise<Answer> {
    const { whole } = await question.read(this.#reader);
    const body = whole();
    // The message copies a small body, so that a view of it will do.
    const isCopied = typeof body !== 'string' && body.length <= maxJoinedBytes;
    const bytes = isCopied ? Buffer.from(body.buffer, body.byteOffset, body.length) : Buffer.from(body);
    return new Answer(bytes, this.#cacheControl);
  }

  async *#makeInSlices(question: Question): SlicedWork<Answer> {
    const { whole, slices } = await question.read(this.#reader);
    yield;
    const parts: Buffer[] = [];
    for (const slice of slices?.() ?? [whole()]) {
      parts.push(Buffer.from(slice));
      yield;
    }
    const body = Buffer.concat(parts);
    yield;
    return new Answer(body, this.#cacheControl);
  }

  #remember(key: string, answer: Answer): void {
    this.#answers.set(key, answer, {
      size: Math.ceil(answer.sizeBytes * overheadFactor) + entryOverheadBytes,
    });
  }
}
