/** The route table of the second interface. */
import type { ApiEndpoint } from '../api-endpoint.ts';
import { series, seriesCsv } from './series.ts';

/** The endpoints of `/api/v2`. */
export const v2Endpoints: readonly ApiEndpoint[] = [series, seriesCsv];
