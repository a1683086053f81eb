/** Publishes plugins as files: each is what the server answers at a path, with links among the files. */
import { listApiEndpoints } from '../api/routes.ts';
import { openArchiveWriter } from '../archive/archive-writer.ts';
import { Redirect } from '../http/endpoint.ts';
import { createRouter } from '../http/router.ts';
import { AppError } from '../model/app-error.ts';
import type { Chart } from '../model/catalogue.ts';
import { hasShares } from '../model/chart-forms.ts';
import { copyRecords, noCounts } from '../model/copy-records.ts';
import type { MetricsReader, MetricsView } from '../model/metrics-reader.ts';
import {
  type ArchiveVersion,
  archiveVersions,
  type MetricsRecord,
  type RecordSource,
} from '../model/metrics-record.ts';
import { maxPublished } from '../model/plugin-list.ts';
import type { OnProgress } from '../model/store.ts';
import {
  chartPicturePath,
  csvPath,
  feedPath,
  homePath,
  overviewPicturePath,
  pluginNowPath,
  pluginPath,
} from '../site/address/paths.ts';
import { browserFileEndpoints } from '../site/assets/browser-files.ts';
import { createSite } from '../site/site.ts';
import { type PublishedCounts, PublishedFolder } from './published-folder.ts';
import { type Published, PublishedLinks } from './published-links.ts';
import { readerOf, renderDataFile, viewOfPlugins, withoutSums } from './published-view.ts';

/** The plugins to publish: some, those of an owner, or all. */
export type PluginChoice =
  | { readonly pluginIds: readonly number[] }
  | { readonly ownerId: number }
  | { readonly isAll: true };

interface PublishOptions extends Pick<Published, 'publicUrl' | 'hasPng'> {
  /** The folder. */
  readonly path: string;
  readonly selection: PluginChoice;
  readonly onProgress: OnProgress;
}

/**
 * Publishes plugins of one state of a store.
 * @throws AppError `not_found` for an unknown plugin or owner, `conflict` for a plugin with charts whose ids
 * differ in case alone, and as {@link PublishedFolder}.
 */
export async function publishFiles(
  reader: MetricsReader,
  { path, selection, onProgress, ...options }: PublishOptions,
): Promise<PublishedCounts & { readonly pluginCount: number }> {
  return reader.read(async (whole) => {
    const pluginIds = await selectPlugins(whole, selection);
    const isAll = 'isAll' in selection;
    const view = withoutSums(isAll ? whole : await viewOfPlugins(whole, pluginIds));
    const known = new Set(pluginIds);
    using folder = new PublishedFolder(path);
    const published = { ...options, hasPlugin: (id: number) => known.has(id) };
    const files = new PublishedFiles({ view, reader: readerOf(reader, view), folder, published });
    await files.writeCommon();
    for (const [index, pluginId] of pluginIds.entries()) {
      onProgress(`publishing plugin ${pluginId}`, index / pluginIds.length);
      await files.writePlugin(pluginId);
    }
    onProgress('publishing the archive', 1);
    await using archive = await openArchiveWriter(folder.addPlace('archive.ndjson.gz'));
    await copyRecords(isAll ? whole : await recordsOf(whole, known), archive, noCounts());
    await archive.commit();
    return { ...folder.finish(), pluginCount: pluginIds.length };
  });
}

/** @throws AppError as {@link publishFiles}, and `conflict` for too many. */
async function selectPlugins(view: MetricsView, selection: PluginChoice): Promise<readonly number[]> {
  if ('pluginIds' in selection) {
    for (const id of selection.pluginIds) await view.getPlugin(id);
    return [...new Set(selection.pluginIds)].sort((a, b) => a - b);
  }
  const ids: number[] = [];
  if ('isAll' in selection) {
    for await (const plugins of view.listPlugins()) ids.push(...plugins.map(({ id }) => id));
    return ids;
  }
  const { ownerId } = selection;
  const request = { sort: 'id', descending: false, limit: maxPublished } as const;
  const { plugins, total } = await view.findPlugins({ ...request, ownerId });
  const most = `at most ${maxPublished} are published without --all`;
  if (total > maxPublished) throw new AppError('conflict', `owner ${ownerId} has ${total} plugins; ${most}`);
  if (total === 0) throw new AppError('unknown-owner', `there is no owner with the id ${ownerId}`);
  return plugins.map(({ id }) => id);
}

/** A view, its reader, and the place of its files. */
interface Place {
  readonly view: MetricsView;
  readonly reader: MetricsReader;
  readonly folder: PublishedFolder;
  readonly published: Published;
}

/** Writes the files of a view. */
class PublishedFiles {
  readonly #place: Place;
  readonly #site = createSite();
  readonly #route = createRouter([...listApiEndpoints({ hasLiveFields: false }), ...this.#site.endpoints]);
  /** Lists, and pictures of lists, that are written. */
  readonly #written = new Set<string>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** Writes everything about one plugin, and the lists that its page leads to. */
  async writePlugin(pluginId: number): Promise<void> {
    const { view, published } = this.#place;
    const { hasPng } = published;
    const plugin = await view.getPlugin(pluginId);
    const folder = `plugin/${pluginId}`;
    const seen = new Map<string, string>();
    for await (const charts of view.listCharts(pluginId))
      for (const chart of charts) {
        const { chartId } = chart;
        const other = seen.get(chartId.toLowerCase());
        if (other !== undefined)
          throw new AppError(
            'conflict',
            `plugin ${pluginId} has the charts ${other} and ${chartId}, whose files would differ in case alone`,
          );
        seen.set(chartId.toLowerCase(), chartId);
        await this.#write(`${folder}/${chartId}.csv`, csvPath(plugin, chartId));
        for (const extension of ['svg', 'json'])
          await this.#write(
            `${folder}/badge/${chartId}.${extension}`,
            `/badge/${pluginId}/${chartId}.${extension}`,
          );
        for (const extension of hasPng ? (['svg', 'png'] as const) : (['svg'] as const))
          for (const [place, query] of picturesOf(chart))
            await this.#write(
              `${folder}/${place}/${chartId}.${extension}`,
              `${chartPicturePath(pluginId, chartId, extension)}?${query}`,
            );
      }
    if (hasPng)
      await this.#write(
        `${folder}/preview.png`,
        `${overviewPicturePath(pluginId, 'png')}?theme=light&width=1200&height=630&scale=1`,
      );
    for (const format of ['atom', 'json'] as const)
      await this.#write(`${folder}/feed.${format}`, feedPath(plugin, format));
    const now = (await this.#render(pluginNowPath(pluginId), new PublishedLinks(published))).toString();
    this.#place.folder.write(`${folder}/data.json`, await renderDataFile(view, pluginId, now));
    await this.#write(`${folder}/index.html`, pluginPath(plugin));
  }

  /** Writes the lists, and what belongs to no plugin. */
  async writeCommon(): Promise<void> {
    const { folder, published } = this.#place;
    this.#written.add('index.html').add('sitemap.xml');
    await this.#write('index.html', homePath);
    await this.#write('sitemap.xml', '/sitemap.xml');
    const links = new PublishedLinks(published);
    const asked = { target: '/404.html', headers: { accept: 'text/html' }, links };
    const lost = await this.#site.showProblem({ kind: 'unknown-path', detail: '' }, asked);
    folder.write('404.html', lost?.body ?? '');
    folder.write('robots.txt', `User-agent: *\nDisallow:\nSitemap: ${published.publicUrl}/sitemap.xml\n`);
    folder.write('.nojekyll', '');
    await this.#write('assets/favicon.svg', '/favicon.svg');
    for (const { path } of browserFileEndpoints()) await this.#write(`assets${path}`, path);
  }

  /** Writes what a path answers, then the lists and pictures that it leads to. */
  async #write(file: string, target: string): Promise<void> {
    const links = new PublishedLinks(this.#place.published, file);
    const content = await this.#render(target, links);
    const hasUrls = /(?:feed\.(?:atom|json)|\.xml)$/.test(file);
    this.#place.folder.write(file, hasUrls ? links.inText(content.toString()) : content);
    for (const [next, path] of links.found) {
      if (this.#written.has(next)) continue;
      this.#written.add(next);
      await this.#write(next, path);
    }
  }

  async #render(target: string, links: PublishedLinks): Promise<Buffer> {
    const { endpoint, params, searchParams } = this.#route(target);
    const body = endpoint.ask({ params, searchParams, links });
    const parts: Buffer[] = [];
    for await (const part of await body.parts(this.#place.reader, { minBytes: 0 })) {
      if (part instanceof Redirect) throw new Error(`${target} leads to ${part.location}`);
      parts.push(Buffer.from(part));
    }
    return Buffer.concat(parts);
  }
}

/** The folders of the pictures of a chart, with what they show. */
function picturesOf({ type }: Chart): ReadonlyMap<string, string> {
  const year = hasShares(type) ? 'range=1y&view=history' : 'range=1y';
  return new Map([
    ['light', 'theme=light'],
    ['dark', 'theme=dark'],
    ['year', `theme=light&${year}`],
    ['year-dark', `theme=dark&${year}`],
  ]);
}

const { withoutPast, withPast, withWindows } = archiveVersions;

/** Returns the records of plugins, for an archive of the version that they need. */
async function recordsOf(view: MetricsView, pluginIds: ReadonlySet<number>): Promise<RecordSource> {
  const softwareIds = new Set<number>();
  /** Plugins that are in the store, but not in the archive. */
  const others = new Set<number>();
  let version: ArchiveVersion = withoutPast;
  for await (const records of view.records(new Set()))
    for (const record of records)
      if (record.kind === 'plugin') {
        const { id, softwareId } = record.plugin;
        if (pluginIds.has(id)) softwareIds.add(softwareId);
        else others.add(id);
      }
  const isWanted = (record: MetricsRecord): boolean => {
    switch (record.kind) {
      case 'software':
        return softwareIds.has(record.software.id);
      case 'plugin':
        return pluginIds.has(record.plugin.id);
      case 'oldName':
        return pluginIds.has(record.oldName.pluginId);
      case 'event':
        return pluginIds.has(record.pluginId);
      case 'removal':
        // A plugin that is removed is in no store, and a mirror must not bring it back.
        return record.removal.pluginId === undefined || !others.has(record.removal.pluginId);
      default:
        return true;
    }
  };
  const changed = (record: MetricsRecord): MetricsRecord => {
    if (record.kind === 'archive') return { ...record, version };
    if (record.kind !== 'software') return record;
    const { globalPluginId } = record.software;
    const isKept = globalPluginId !== null && pluginIds.has(globalPluginId);
    return { ...record, software: { ...record.software, globalPluginId: isKept ? globalPluginId : null } };
  };
  const records = async function* () {
    for await (const batch of view.records(pluginIds)) yield batch.filter(isWanted).map(changed);
  };
  for await (const batch of records()) version = batch.reduce(versionOf, version);
  return { records };
}

/** The version of an archive with a record and others, which need a version. */
function versionOf(others: ArchiveVersion, record: MetricsRecord): ArchiveVersion {
  const { kind } = record;
  if (others === withWindows || (kind === 'removal' && record.removal.after !== undefined))
    return withWindows;
  const isPast = pastKinds.has(kind) || (kind === 'data' && record.at !== undefined);
  return isPast ? withPast : others;
}

const pastKinds: ReadonlySet<string> = new Set(['history', 'event', 'oldName', 'removal']);
