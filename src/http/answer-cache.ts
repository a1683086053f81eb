/** Remembered answers, within a budget of bytes, and dropped as soon as the store has changed. */
import { LRUCache } from 'lru-cache';
import type { MetricsReader } from '../model/metrics-reader.ts';
import { Answer } from './answer.ts';
import type { Question } from './endpoint.ts';

/** What an entry costs beside its bytes. */
const entryOverheadBytes = 512;

/** Answers by key. */
export class AnswerCache {
  readonly #reader: MetricsReader;
  readonly #answers: LRUCache<string, Answer>;
  /** Being read right now: simultaneous requests for one answer share the work. */
  readonly #pending = new Map<string, Promise<Answer>>();
  #generation: number | undefined;

  /** @param options.budgetBytes how much the remembered answers may hold. */
  constructor(options: { readonly reader: MetricsReader; readonly budgetBytes: number }) {
    this.#reader = options.reader;
    this.#answers = new LRUCache({ maxSize: options.budgetBytes });
  }

  /** The answer to a question, remembered or read now; rejects as the reader does. */
  find(question: Question): Answer | Promise<Answer> {
    this.#dropOutdated();
    return this.#answers.get(question.key) ?? this.#pending.get(question.key) ?? this.#read(question);
  }

  /** Counts a coding that has been added to a remembered answer. */
  recount(key: string, answer: Answer): void {
    if (this.#answers.peek(key) === answer) this.#remember(key, answer);
  }

  #dropOutdated(): void {
    const generation = this.#reader.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#answers.clear();
    this.#pending.clear();
  }

  async #read(question: Question): Promise<Answer> {
    const generation = this.#generation;
    const reading = question.read(this.#reader).then((body) => new Answer(body));
    this.#pending.set(question.key, reading);
    try {
      const answer = await reading;
      // What was read across a change may be of before it: it is answered, but not remembered.
      if (generation === this.#generation) this.#remember(question.key, answer);
      return answer;
    } finally {
      if (this.#pending.get(question.key) === reading) this.#pending.delete(question.key);
    }
  }

  #remember(key: string, answer: Answer): void {
    this.#answers.set(key, answer, { size: answer.sizeBytes + entryOverheadBytes });
  }
}
