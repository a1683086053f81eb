/** What a record may not do to what a store holds, in words. */
import { AppError, quote, unknownChart, unknownPlugin } from '../model/app-error.ts';

/** The error for another uid of a chart. */
export function uidChanged(chartId: string, uid: number, incoming: number): AppError {
  return new AppError(
    'conflict',
    `the uid of a chart cannot change: ${quote(chartId)} has the uid ${uid}, got ${incoming}`,
  );
}

/** The error for another type of a chart that has data. */
export function typeChanged(chartId: string, type: string, incoming: string): AppError {
  return new AppError(
    'conflict',
    `the type of a chart that has data cannot change: ${quote(chartId)} is a ${type}, got ${incoming}`,
  );
}

/** The error for the url of another software. */
export function urlTaken(url: string, holderId: number): AppError {
  return new AppError('conflict', `the url ${quote(url)} belongs to software ${holderId} already`);
}

/** The error for the uid of another chart. */
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

/** The error for a plugin whose software is not there. */
export function missingSoftware(softwareId: number): AppError {
  return new AppError('invalid', `there is no software with the id ${softwareId}`);
}

/** The error for a chart whose plugin is not there. */
export function missingPlugin(pluginId: number): AppError {
  return new AppError('invalid', unknownPlugin(pluginId).message);
}

/** The error for data whose chart is not there. */
export function missingChart(pluginId: number, chartId: string): AppError {
  return new AppError('invalid', unknownChart(pluginId, chartId).message);
}

/** The error for a global plugin that is still not there when the source has ended. */
export function missingGlobalPlugin(softwareId: number, globalPluginId: number): AppError {
  return new AppError(
    'invalid',
    `software ${softwareId} names the global plugin ${globalPluginId}, which does not exist`,
  );
}
