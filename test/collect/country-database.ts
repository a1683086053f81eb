/** Writes small MaxMind databases (maxmind.github.io/MaxMind-DB), of version 2.0 with records of 24 bits. */

/** A country of a network of IPv4, such as `198.51.100.0/24`. */
export interface CountryNetwork {
  readonly network: string;
  readonly code: string;
  readonly name: string;
}

/** Type numbers of the data section. */
const types = { text: 2, uint16: 5, uint32: 6, map: 7 } as const;

/** A node of the tree: for each bit another node, the offset of a country in the data section, or nothing. */
interface Node {
  readonly next: [Node | number | undefined, Node | number | undefined];
}

/** Makes the bytes of a database of IPv4 addresses. */
export function countryDatabase(networks: readonly CountryNetwork[]): Buffer {
  const root: Node = { next: [undefined, undefined] };
  let data = Buffer.alloc(0);
  for (const { network, code, name } of networks) {
    const [address = '', length] = network.split('/');
    const bits = address
      .split('.')
      .flatMap((part) => [...Number(part).toString(2).padStart(8, '0')].map(Number));
    addPath(root, bits.slice(0, Number(length)), data.length);
    data = Buffer.concat([data, encode({ country: { iso_code: code, names: { en: name } } })]);
  }
  const nodes = listNodes(root);
  const places = new Map(nodes.map((node, index) => [node, index]));
  const record = (target: Node | number | undefined) => {
    const separatorBytes = 16;
    const value =
      target === undefined
        ? nodes.length
        : typeof target === 'number'
          ? nodes.length + separatorBytes + target
          : (places.get(target) ?? 0);
    const bytes = Buffer.alloc(3);
    bytes.writeUIntBE(value, 0, 3);
    return bytes;
  };
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    database_type: 'Test-Country',
    ip_version: 4,
    node_count: nodes.length,
    record_size: 24,
  };
  return Buffer.concat([
    ...nodes.flatMap(({ next }) => next.map(record)),
    Buffer.alloc(16),
    data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encode(metadata),
  ]);
}

function addPath(root: Node, bits: readonly number[], offset: number): void {
  let node = root;
  for (const [index, bit] of bits.entries()) {
    const side = bit === 0 ? 0 : 1;
    if (index === bits.length - 1) node.next[side] = offset;
    else {
      const known = node.next[side];
      const child: Node = typeof known === 'object' ? known : { next: [undefined, undefined] };
      node.next[side] = child;
      node = child;
    }
  }
}

function listNodes(root: Node): readonly Node[] {
  return [root, ...root.next.flatMap((child) => (typeof child === 'object' ? listNodes(child) : []))];
}

type Value = number | string | { readonly [name: string]: Value };

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([head(types.text, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(value < 2 ** 16 ? 2 : 4);
    bytes.writeUIntBE(value, 0, bytes.length);
    return Buffer.concat([head(bytes.length === 2 ? types.uint16 : types.uint32, bytes.length), bytes]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([
    head(types.map, entries.length),
    ...entries.flatMap(([name, member]) => [encode(name), encode(member)]),
  ]);
}

/** Three bits of type, five of size; a size beyond 28 has a byte of its own. */
function head(type: number, size: number): Buffer {
  return size < 29 ? Buffer.of((type << 5) | size) : Buffer.of((type << 5) | 29, size - 29);
}
