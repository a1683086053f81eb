/** The route table of the second interface. */
import type { Directories } from '../../directory/directories.ts';
import type { ApiEndpoint } from '../api-endpoint.ts';
import { pluginArchive } from './plugin-archive.ts';
import { pluginCsv } from './plugin-csv.ts';
import { pluginNow } from './plugin-now.ts';
import { pluginListEndpoint } from './plugin-page.ts';
import { series, seriesCsv } from './series.ts';
import { softwareNowEndpoint } from './software-now.ts';

/** Lists the endpoints of `/api/v2`. */
export function listV2Endpoints(directories: Directories): readonly ApiEndpoint[] {
  return [
    pluginListEndpoint(directories),
    pluginNow,
    series,
    seriesCsv,
    pluginCsv,
    pluginArchive,
    softwareNowEndpoint(directories),
  ];
}
