/** The route table of the second interface. */
import type { Directories } from '../../directory/directories.ts';
import type { ApiEndpoint } from '../api-endpoint.ts';
import { series, seriesCsv } from './series.ts';

/** Lists the endpoints of `/api/v2`. */
export function listV2Endpoints(_directories: Directories): readonly ApiEndpoint[] {
  return [series, seriesCsv];
}
