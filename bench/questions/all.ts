/** Every question, in the order of the table. */
import type { Question } from '../question.ts';
import { defaultMonth } from './01-default-month.ts';
import { defaultMonthGzip } from './02-default-month-gzip.ts';
import { latestPoint } from './03-latest-point.ts';
import { notModified } from './04-not-modified.ts';
import { pluginList } from './05-plugin-list.ts';
import { notRemembered } from './06-not-remembered.ts';
import { notRememberedGzip } from './06b-not-remembered-gzip.ts';
import { flat } from './07-flat.ts';
import { twoWorkers } from './08-two-workers.ts';
import { besideLargeAnswers } from './09-beside-large-answers.ts';
import { besideImport } from './10-beside-import.ts';
import { bytesPerPoint } from './11-bytes-per-point.ts';
import { importArchive } from './12-import.ts';
import { exportArchive } from './13-export.ts';
import { start } from './14-start.ts';
import { memory } from './15-memory.ts';
import { tick } from './16-tick.ts';
import { postgresNotRemembered } from './p1-postgres-not-remembered.ts';
import { postgresImport } from './p2-postgres-import.ts';
import { postgresBytesPerPoint } from './p3-postgres-bytes-per-point.ts';
import { postgresRemembered } from './p4-postgres-remembered.ts';
import { postgresThreeNodes } from './p5-postgres-three-nodes.ts';

export const questions: readonly Question[] = [
  defaultMonth,
  defaultMonthGzip,
  latestPoint,
  notModified,
  pluginList,
  notRemembered,
  notRememberedGzip,
  flat,
  twoWorkers,
  besideLargeAnswers,
  besideImport,
  bytesPerPoint,
  importArchive,
  exportArchive,
  start,
  memory,
  tick,
  postgresNotRemembered,
  postgresImport,
  postgresBytesPerPoint,
  postgresRemembered,
  postgresThreeNodes,
];
