/** Every question, in the order of the table. */
import type { Question } from '../question.ts';
import { defaultMonth } from './01-default-month.ts';
import { defaultMonthGzip } from './02-default-month-gzip.ts';
import { latestPoint } from './03-latest-point.ts';
import { notModified } from './04-not-modified.ts';
import { pluginList } from './05-plugin-list.ts';
import { notRemembered } from './06-not-remembered.ts';
import { notRememberedGzip } from './06b-not-remembered-gzip.ts';

export const questions: readonly Question[] = [
  defaultMonth,
  defaultMonthGzip,
  latestPoint,
  notModified,
  pluginList,
  notRemembered,
  notRememberedGzip,
];
