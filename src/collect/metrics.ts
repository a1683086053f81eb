/** Metrics of collecting, each defined here alone, counted where it happens, and listed in docs/collecting.md. */
import { Counter, Gauge } from '@prometheus-io/client';

/** Counter of accepted reports. */
export const reportsAccepted = new Counter({
  name: 'plugin_metrics_reports_accepted_total',
  help: 'reports answered 202',
});

/** Counter of refused reports. */
export const reportsRefused = new Counter({
  name: 'plugin_metrics_reports_refused_total',
  help: 'reports refused, by reason, such as reported-already, unknown-plugin or malformed-report',
  labelNames: ['reason'],
});

/** Counter of charts of reports that are not counted. */
export const valuesDropped = new Counter({
  name: 'plugin_metrics_report_values_dropped_total',
  help: 'charts in accepted reports that were not counted, by reason: unknown-chart (the plugin has none with this id) or wrong-value (it does not fit the type)',
  labelNames: ['reason'],
});

/** Gauge of the reports of the open slot. */
export const openSlotReports = new Gauge({
  name: 'plugin_metrics_open_slot_reports',
  help: 'reports of the present slot that this process has accepted',
});

/** Counter of slots that became points. */
export const slotsClosed = new Counter({
  name: 'plugin_metrics_slots_closed_total',
  help: 'slots that were written into the store by this process',
});

/** Counter of slots that became a gap. */
export const slotsLeftOut = new Counter({
  name: 'plugin_metrics_slots_left_out_total',
  help: 'slots that were left out, because less than nine tenths of them were covered',
});

/** Gauge of the duration of the last closing; not shown before the first. */
export const lastClosingSeconds = new Gauge({
  name: 'plugin_metrics_last_closing_seconds',
  help: 'how long closing the last slot took',
});
lastClosingSeconds.remove();
