/** Every question, in the order of the table. */
import type { Question } from '../question.ts';
import { besideBareLoop } from './beside-bare-loop.ts';
import { besideDatabases } from './beside-databases.ts';
import { besideNginx } from './beside-nginx.ts';
import { besideSqlite } from './beside-sqlite.ts';
import { bytesPerPoint } from './bytes-per-point.ts';
import { closing } from './closing.ts';
import { collecting } from './collecting.ts';
import { costs } from './costs.ts';
import { dragging } from './dragging.ts';
import { footprint } from './footprint.ts';
import { histories } from './histories.ts';
import { notCached } from './not-cached.ts';
import { pages } from './pages.ts';
import { pictures } from './pictures.ts';
import { shares } from './shares.ts';
import { transfer } from './transfer.ts';
import { waiting } from './waiting.ts';

export const questions: readonly Question[] = [
  ...besideNginx,
  ...besideBareLoop,
  ...notCached,
  ...waiting,
  ...bytesPerPoint,
  ...transfer,
  ...footprint,
  ...besideSqlite,
  ...pictures,
  ...pages,
  ...costs,
  ...histories,
  ...shares,
  ...besideDatabases,
  ...collecting,
  ...closing,
  ...dragging,
].sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }));
