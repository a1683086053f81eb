/** Every question, in the order of the table. */
import type { Question } from '../question.ts';
import { besideNginx } from './beside-nginx.ts';
import { costs } from './costs.ts';
import { dragging } from './dragging.ts';
import { growth } from './growth.ts';
import { onPostgres } from './on-postgres.ts';
import { pages } from './pages.ts';
import { shares } from './shares.ts';
import { waiting } from './waiting.ts';

export const questions: readonly Question[] = [
  ...besideNginx,
  ...growth,
  ...waiting,
  ...onPostgres,
  ...pages,
  ...costs,
  ...shares,
  ...dragging,
].sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }));
