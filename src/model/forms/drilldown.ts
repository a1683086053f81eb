/** Drilldown pies: an outer pie, and an inner pie for each of its shares. */
import { trustedJson } from '../json-text.ts';
import { latestForm } from './chart-form.ts';
import { listOf, numberSchema, record, shareTextSchema, tuple } from './schemas.ts';
import { entriesIn, listIn, membersOf, shareIn } from './share-values.ts';

/** The form of drilldown pies. */
export const drilldownForm = latestForm({
  dataSchema: record({
    drilldownData: listOf(
      record({
        name: shareTextSchema,
        id: shareTextSchema,
        data: listOf(
          tuple([shareTextSchema, numberSchema], 'a pair [string, number]'),
          'an array of [string, number]',
        ),
      }),
      'an array of {"name", "id", "data"}',
    ),
    seriesData: listOf(
      record({ name: shareTextSchema, y: numberSchema, drilldown: shareTextSchema }),
      'an array of {"name": string, "y": number, "drilldown": string}',
    ),
  }),
  emptyData: trustedJson('{"drilldownData":[],"seriesData":[]}'),
  shares: {
    isGrouped: true,
    parse: (data) => {
      const { drilldownData, seriesData } = membersOf(data);
      const inner = new Map(entriesIn(drilldownData).map(({ id, data: pairs }) => [id, listIn(pairs)]));
      return entriesIn(seriesData).flatMap(({ name: group, y, drilldown: id }) => {
        const pairs = inner.get(id) ?? [];
        // Each inner pie is used once. Otherwise a megabyte of data in which a thousand outer shares refer to
        // the same inner pie would become a million shares.
        inner.delete(id);
        // An outer share without inner shares counts as its own inner share.
        return pairs.length === 0
          ? shareIn(group, group, y)
          : pairs.flatMap((pair) => shareIn(group, ...listIn(pair)));
      });
    },
    render: (shares) => {
      const groups = new Map<string, [string, number][]>();
      for (const [{ group, name }, value] of shares) {
        const pairs = groups.get(group ?? name) ?? [];
        pairs.push([name, value]);
        groups.set(group ?? name, pairs);
      }
      const entries = [...groups];
      return {
        drilldownData: entries.map(([name, pairs]) => ({ name, id: name, data: pairs })),
        seriesData: entries.map(([name, pairs]) => ({
          name,
          y: pairs.reduce((sum, [, value]) => sum + value, 0),
          drilldown: name,
        })),
      };
    },
    rows: (shares) => [
      ['name', 'part', 'value'],
      ...shares.map(([{ group, name }, value]) => [group ?? name, name, value]),
    ],
  },
});
