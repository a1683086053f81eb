/** The addresses of a server, as its clients know them. */

/** Makes links to a server at the root of a host, or below a path, which a proxy in front of it may take off. */
export class Links {
  /** Address of the server, such as `https://example.org/metrics`, without a slash at its end; empty if nobody knows it. */
  readonly server: string;
  /** True if the operator has named the address, not a client. */
  readonly isPublic: boolean;
  readonly #base: string;

  constructor(server = '', { isPublic = false, base = '' } = {}) {
    this.server = server;
    this.isPublic = isPublic;
    this.#base = base;
  }

  /** The links of a public address, which may have a path. */
  static ofPublicUrl(url: string): Links {
    return new Links(url, { isPublic: true, base: new URL(url).pathname.replace(/\/$/, '') });
  }

  /** The link to a path of the server, from a page of it. */
  to(path: string): string {
    return this.#base + path;
  }

  /** Takes the path that the server is below off the target of a request, once, unless a proxy has done so. */
  targetOf(requested: string): string {
    if (this.#base === '') return requested;
    const [, host = '', target = ''] = /^(https?:\/\/[^/?#]*)?(.*)$/is.exec(requested) ?? [];
    const rest = target.slice(this.#base.length);
    if (!target.startsWith(this.#base) || !/^(?:[/?]|$)/.test(rest)) return requested;
    return host + (rest.startsWith('/') ? rest : `/${rest}`);
  }

  /** Makes links of the paths in the attributes of HTML. Texts have no quotation marks there, which templates escape. */
  inHtml(html: string): string {
    if (this.#base === '') return html;
    return html.replace(
      /(\s(?:href|src|srcset|action)=")(\/[^"]*)/g,
      (_, attribute: string, path: string) => attribute + this.to(path),
    );
  }
}
