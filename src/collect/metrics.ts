/**
 * Metrics of collecting, each defined here alone, counted where it happens, and listed in docs/collecting.md.
 */
import { Counter, Gauge } from '@prometheus-io/client';

/** Counter of accepted reports. */
export const reportsAccepted = new Counter({
  name: 'plugin_metrics_reports_accepted_total',
  help: 'reports answered 202',
});

/** Counter of refused reports. */
export const reportsRefused = new Counter({
  name: 'plugin_metrics_reports_refused_total',
  help: 'reports refused, by reason, such as reported-already',
  labelNames: ['reason'],
});

/** Counter of charts of reports that are not counted. */
export const valuesDropped = new Counter({
  name: 'plugin_metrics_report_values_dropped_total',
  help: 'charts of reports not counted, by reason: unknown-chart (no such id) or wrong-value (not of its type)',
  labelNames: ['reason'],
});

/** Gauge of the reports of the open slot. */
export const openSlotReports = new Gauge({
  name: 'plugin_metrics_open_slot_reports',
  help: 'reports accepted in the open slot',
});

/** Counter of slots that became points. */
export const slotsClosed = new Counter({
  name: 'plugin_metrics_slots_closed_total',
  help: 'slots written into the store',
});

/** Counter of slots that became a gap. */
export const slotsLeftOut = new Counter({
  name: 'plugin_metrics_slots_left_out_total',
  help: 'slots left out because too little of them was covered',
});

/** Gauge of the duration of the last closing; not shown before the first. */
export const lastClosingSeconds = new Gauge({
  name: 'plugin_metrics_last_closing_seconds',
  help: 'how long closing the last slot took',
});
lastClosingSeconds.remove();
