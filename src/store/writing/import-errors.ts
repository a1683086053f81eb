/** The errors of records that a store refuses. */
import { AppError, quote, unknownChart, unknownPlugin } from '../../model/app-error.ts';

/** Refuses a change of a chart's uid. */
export function uidChanged(chartId: string, uid: number, incoming: number): AppError {
  return new AppError(
    'conflict',
    `the uid of a chart cannot change: ${quote(chartId)} has the uid ${uid}, got ${incoming}`,
  );
}

/** Refuses a change of the type of a chart with data. */
export function typeChanged(chartId: string, type: string, incoming: string): AppError {
  return new AppError(
    'conflict',
    `the type of a chart that has data cannot change: ${quote(chartId)} is a ${type}, got ${incoming}`,
  );
}

/** Refuses a url that belongs to another software. */
export function urlTaken(url: string, holderId: number): AppError {
  return new AppError('conflict', `the url ${quote(url)} belongs to software ${holderId} already`);
}

/** Refuses a uid that belongs to another chart. */
export function uidTaken(
  uid: number,
  holder: { readonly pluginId: number; readonly chartId: string },
): AppError {
  const { pluginId, chartId } = holder;
  return new AppError(
    'conflict',
    `the uid ${uid} belongs to chart ${quote(chartId)} of plugin ${pluginId} already`,
  );
}

/** Refuses a plugin of an unknown software. */
export function missingSoftware(softwareId: number): AppError {
  return new AppError('invalid', `there is no software with the id ${softwareId}`);
}

/** Refuses a chart of an unknown plugin. */
export function missingPlugin(pluginId: number): AppError {
  return new AppError('invalid', unknownPlugin(pluginId).message);
}

/** Refuses data of an unknown chart. */
export function missingChart(pluginId: number, chartId: string): AppError {
  return new AppError('invalid', unknownChart(pluginId, chartId).message);
}

/** Refuses a global plugin that is unknown at the end of the source. */
export function missingGlobalPlugin(softwareId: number, globalPluginId: number): AppError {
  return new AppError(
    'invalid',
    `software ${softwareId} names the global plugin ${globalPluginId}, which does not exist`,
  );
}
