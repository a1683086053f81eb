/** URLs of a server, as its clients see them. */

/**
 * Makes links to a server at the root of a host or below a path; a proxy may strip that path from requests.
 */
export class Links {
  /** URL of the server, such as `https://example.org/metrics`, without a trailing slash; empty if unknown. */
  readonly server: string;
  /** True if the operator has configured the URL; false if it comes from a request. */
  readonly isPublic: boolean;
  readonly #base: string;

  constructor(server = '', { isPublic = false, base = '' } = {}) {
    this.server = server;
    this.isPublic = isPublic;
    this.#base = base;
  }

  /** Makes the links of a public URL, which may have a path. */
  static ofPublicUrl(url: string): Links {
    return new Links(url, { isPublic: true, base: new URL(url).pathname.replace(/\/$/, '') });
  }

  /** Returns the link from a page of the server to a path. */
  to(path: string): string {
    return this.#base + path;
  }

  /** Strips the path of the server from a request target once, unless a proxy has already done so. */
  targetOf(requested: string): string {
    if (this.#base === '') return requested;
    const [, host = '', target = ''] = /^(https?:\/\/[^/?#]*)?(.*)$/is.exec(requested) ?? [];
    const rest = target.slice(this.#base.length);
    if (!target.startsWith(this.#base) || !/^(?:[/?]|$)/.test(rest)) return requested;
    return host + (rest.startsWith('/') ? rest : `/${rest}`);
  }

  /**
   * Converts the paths in HTML attributes to links. Text cannot match, because templates escape its quotation
   * marks.
   */
  inHtml(html: string): string {
    if (this.#base === '') return html;
    return html.replace(
      /(\s(?:href|src|srcset|action)=")(\/[^"]*)/g,
      (_, attribute: string, path: string) => attribute + this.to(path),
    );
  }
}
