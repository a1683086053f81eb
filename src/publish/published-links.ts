/** Links among published files: each path of a page leads to the file with its content, or nowhere. */
import { posix } from 'node:path';
import { Links } from '../model/links.ts';
import { pageForm } from '../site/pages/page.ts';

/** Plugins and forms of what is published, and its address. */
export interface Published {
  /** URL of the folder, without a trailing slash. */
  readonly publicUrl: string;
  readonly hasPng: boolean;
  readonly hasPlugin: (pluginId: number) => boolean;
}

/** Returns the file with the content of a path and its query; undefined if there is none. */
function fileOf(path: string, query: string, { hasPng, hasPlugin }: Published): string | undefined {
  const [, list] = /^\/(|software\/[\w.-]+|owner\/\d+)$/.exec(path) ?? [];
  if (list !== undefined) {
    const [, page] = /^\?page=(\d+)$/.exec(query) ?? [];
    const isKnown = query === '' || page !== undefined;
    return isKnown ? posix.join(list, page === undefined ? '' : `page/${page}`, 'index.html') : undefined;
  }
  if (/^\/(?:favicon\.svg|[\w-]+\.(?:js|css))$/.test(path)) return `assets${path}`;
  if (/^\/sitemap(?:\/\d+)?\.xml$/.test(path)) return path.slice(1);
  const [, room = '', id, name = ''] =
    /^\/(plugin|badge|embed|api)(?:\/v\d\/plugins|\/[^/]+\/[^/]+)?\/(\d+)((?:\.|\/)[\w.~-]+)?$/.exec(path) ??
    [];
  if (id === undefined || !hasPlugin(Number(id))) return undefined;
  const folder = `plugin/${id}`;
  if (room === 'plugin') return folder + (name || '/index.html');
  if (room === 'badge') return `${folder}/badge${name}`;
  if (room === 'api') return name === '' ? `${folder}/data.json` : undefined;
  if (name.endsWith('.png') && !hasPng) return undefined;
  return name === '.png' ? `${folder}/preview.png` : `${folder}/light${name}`;
}

/** The rules of pages, but who may frame them: only a header can say that. */
const policy = pageForm.headers[1]?.replace(/; frame-ancestors.*/, '');

/** The links of one file. */
export class PublishedLinks extends Links {
  readonly #published: Published;
  readonly #file: string | undefined;
  /** Lists that the file leads to, and pictures that only it shows: their paths, by the files to make. */
  readonly found = new Map<string, string>();

  /** @param file such as `plugin/1337/index.html`; links are absolute without it. */
  constructor(published: Published, file?: string) {
    super(published.publicUrl, { isPublic: true });
    this.#published = published;
    this.#file = file;
  }

  override to(path: string): string {
    return this.#find(path) ?? path;
  }

  /** Makes the links of a page, and leaves out what needs a server. */
  override inHtml(page: string): string {
    const { hasPng } = this.#published;
    const html = page
      .replace(
        '<meta charset="utf-8">',
        (tag) => `${tag}\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
      )
      .replace(/<meta property="og:image"[\s\S]*?summary_large_image">\n/, (tags) => (hasPng ? tags : ''))
      .replace(
        /<form class="(?:find|search)"[\s\S]*?<\/form>\n?|<button[^>]* data-embed[\s\S]*?<\/button>/g,
        '',
      )
      .replace(/<picture>[\s\S]*?<img src="([^"]*)".*? (alt="[\s\S]*?)<\/picture>/g, (_, address, rest) =>
        this.#picture(address, rest),
      )
      .replaceAll('<plugin-chart', `<plugin-chart files="${this.#reach('')}"`)
      // The script sets the links with these marks.
      .replace(/ data-(?:csv|svg|png|compare)(?:="[^"]*")?(?=>)/g, '')
      .replace(/<link [^>]*href="(\/[^"]*)".*\n/g, (tag, path) => (this.#find(path) ? tag : ''))
      .replace(/<a\b[^>]* href="(\/[^"]*)"[^>]*>([\s\S]*?)<\/a>/g, (link, path, words) => {
        if (this.#find(path)) return link;
        return link.startsWith('<a class="button"') ? '' : `<a>${words}</a>`;
      })
      .replace(/<nav [\s\S]*?<\/nav>\n?/g, (nav) => {
        const left = nav.replace(/<a>[\s\S]*?<\/a>/g, '');
        return left.includes('<a ') ? left : '';
      })
      .replace(/<(li|p class="actions")><a>[^<]*<\/a><\/(?:li|p)>\n?/g, '')
      .replace(/(\s(?:href|src|srcset|action)=")(\/[^"]*)/g, (_, before, path) => before + this.to(path))
      .replace(
        /(<li><a href=")light(\/[^>]*>(?:SVG|PNG))<\/a><\/li>/g,
        (item, before, rest) => `${item}${before}year${rest} of a year</a></li>`,
      );
    return this.inText(html);
  }

  /** Makes the links of a text that begin with the public URL. */
  inText(text: string): string {
    const { server } = this;
    const [first = '', ...parts] = text.split(server);
    return parts.reduce((made, part) => {
      // Elsewhere in a text, the address is part of a name.
      const isLink = /(?:href=|:(?:url|image)" content=|url":)"$|<loc>$/.test(made.slice(-20));
      const [path = ''] = (isLink && /^\/[^"<\s]*/.exec(part)) || [];
      return made + (this.#find(path, true) ?? server + path) + part.slice(path.length);
    }, first);
  }

  /** Makes a picture in both themes of the address of the largest one. */
  #picture(address: string, rest: string): string {
    const path = decoded(address);
    const [light, dark] = ['light', 'dark'].map((theme) => {
      const ofChart = fileOf(path.replace(/\?.*/, ''), '', this.#published);
      // A chart that ended before the others of its page has a picture of their window.
      const isOfPage = /[?&]from=/.test(path);
      if (ofChart !== undefined && !isOfPage) return this.#reach(ofChart.replace('/light/', `/${theme}/`));
      const folder = posix.dirname(this.#file ?? '');
      const file = ofChart?.replace('/light/', `/${theme}/window/`) ?? posix.join(folder, `${theme}.svg`);
      this.found.set(file, `${path}&theme=${theme}`);
      return this.#reach(file);
    });
    return `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}"><img src="${light}" ${rest}</picture>`;
  }

  /** Finds the link to the file of a path; undefined if there is none. */
  #find(target: string, isAbsolute = false): string | undefined {
    // Each `&#61;` is an equals sign.
    const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?(?:[^#]|(?<=&)#)*)?(#.*)?$/.exec(target) ?? [];
    const file = fileOf(path, path.startsWith('/plugin/') ? '' : decoded(query), this.#published);
    // An absolute link may be that of an event, or a name.
    const isOwn = isAbsolute ? this.#file === 'sitemap.xml' : /^\/(?:$|software|owner)/.test(path);
    if (file !== undefined && isOwn && !file.startsWith('plugin/'))
      this.found.set(file, path + decoded(query));
    const isPage = file?.startsWith('plugin/') && file.endsWith('.html');
    return file && this.#reach(file, isAbsolute) + (isPage ? query : '') + hash;
  }

  /** The link to a file; folders stand for their index. */
  #reach(file: string, isAbsolute = false): string {
    const folder = file.replace(/(^|\/)index\.html$/, '$1');
    if (isAbsolute || this.#file === undefined) return `${this.server}/${folder}`;
    const path = posix.relative(posix.dirname(this.#file), folder);
    return path + (folder === '' || folder.endsWith('/') ? (path === '' ? './' : '/') : '');
  }
}

/** Decodes what templates have escaped. */
function decoded(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
}
