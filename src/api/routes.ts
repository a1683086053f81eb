/**
 * Route table of the API: interface.md, section 4, in its order; then `/api/v2`; then the OpenAPI document.
 */
import { openapiPath } from '../http/problem.ts';
import { type ApiEndpoint, type ApiOptions, jsonMediaType } from './api-endpoint.ts';
import { describeEndpoints } from './openapi.ts';
import { listV1Endpoints } from './v1/endpoints.ts';
import { pluginList, softwareNow } from './v2/lists.ts';
import { metrics } from './v2/metrics.ts';
import { insights, pluginEvents, pluginNow } from './v2/plugin.ts';
import { pluginArchive } from './v2/plugin-archive.ts';
import { pluginCsv } from './v2/plugin-csv.ts';
import { series, seriesCsv } from './v2/series.ts';

/** Lists all endpoints. */
export function listApiEndpoints(options: ApiOptions): readonly ApiEndpoint[] {
  return [
    ...listV1Endpoints(options),
    pluginList,
    pluginNow,
    insights,
    pluginEvents,
    series,
    seriesCsv,
    pluginCsv,
    pluginArchive,
    softwareNow,
    metrics,
    openapiEndpoint(options),
  ];
}

/** Makes the OpenAPI document of a server. */
export function openapiDocument(options: ApiOptions) {
  return describeEndpoints(listApiEndpoints(options), options);
}

/** Endpoint of the OpenAPI document. It does not read the store. */
function openapiEndpoint(options: ApiOptions): ApiEndpoint {
  return {
    path: openapiPath,
    operationId: 'getOpenapi',
    summary: 'This document',
    schema: 'OpenapiDocument',
    ask: () => ({
      key: openapiPath,
      mediaType: jsonMediaType,
      source: 'catalogue',
      size: 'small',
      parts: () => [JSON.stringify(openapiDocument(options))],
    }),
  };
}
