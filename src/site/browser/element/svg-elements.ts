/**
 * Makes elements from the text of a drawing, without a parser of the browser, which needs a policy in pages that require trusted
 * types. The text is our own: attributes in double quotes, everything escaped.
 */

const namespace = 'http://www.w3.org/2000/svg';
const piece = /<(\/?)([a-z]+)((?: [\w:-]+="[^"]*")*)(\/?)>|([^<]+)/gi;
const attribute = / ([\w:-]+)="([^"]*)"/g;

/** The `<svg>` element of a drawing. Its size is in its attributes. */
export function svgElement(text: string): SVGSVGElement {
  const root = document.createElementNS(namespace, 'svg');
  const open: Element[] = [];
  for (const [, end, name = '', attributes = '', isEmpty, words] of text.matchAll(piece)) {
    const parent = open.at(-1);
    if (words !== undefined) parent?.append(decode(words));
    else if (end === '/') open.pop();
    else {
      const element = parent === undefined ? root : document.createElementNS(namespace, name);
      for (const [, key = '', value = ''] of attributes.matchAll(attribute))
        if (key !== 'xmlns') element.setAttribute(key, decode(value));
      parent?.append(element);
      if (isEmpty === '') open.push(element);
    }
  }
  return root;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all);
}
