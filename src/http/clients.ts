/**
 * Client addresses, from connections or from trusted proxies, and per-client connection and request counts.
 */
import { BlockList, isIP, type Socket, SocketAddress } from 'node:net';

/**
 * Networks in which proxies may be if none are configured: this machine and private networks (RFC 1918, 4193,
 * 3927, 4291). Clients from the open internet have no such address.
 */
const privateNetworks = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
];

/** Finds the addresses of clients. */
export class ClientAddresses {
  readonly #private = listOf(privateNetworks);
  readonly #proxies: BlockList;
  readonly #believesProxies: boolean;
  #onIgnored: ((peer: string) => void) | undefined;

  /**
   * @param trustedProxies networks in CIDR notation whose `X-Forwarded-For` counts; if empty, it never does.
   * @param onIgnored called once, at the first `X-Forwarded-For` of a peer in a private network that is not
   * trusted: it may be a proxy.
   */
  constructor(trustedProxies: readonly string[], onIgnored?: (peer: string) => void) {
    this.#believesProxies = trustedProxies.length > 0;
    this.#proxies = this.#believesProxies ? listOf(trustedProxies) : this.#private;
    this.#onIgnored = onIgnored;
  }

  /** Finds the address of a client, or that of its proxy if the proxy names none. */
  find(peer: string, forwardedFor: string | undefined): string {
    return this.#find(peer, forwardedFor).address;
  }

  /**
   * Key for counting the requests of a client: its address, or its /64 network of IPv6. If a trusted proxy
   * does not give addresses, its clients count together under its address. Undefined for a proxy or a
   * possible proxy, which has no limit.
   */
  limitKey(peer: string, forwardedFor?: string): string | undefined {
    const { address, isLimited } = this.#find(peer, forwardedFor);
    if (!isLimited) return undefined;
    return clientNetwork(address);
  }

  /**
   * The network in which a client shares places and turns: its address, or its /64 of IPv6. Many clients may
   * be behind a private address, so each of its connections is a network.
   */
  network({ remoteAddress = '', remotePort }: Socket, forwardedFor: string | undefined): string {
    const { address } = this.#find(remoteAddress, forwardedFor);
    return isIn(this.#private, address) ? `${remoteAddress}:${remotePort}` : clientNetwork(address);
  }

  /** Finds the last address that is not a trusted proxy: entries further left can be forged. */
  #find(peer: string, forwardedFor: string | undefined): { address: string; isLimited: boolean } {
    const address = plainAddress(peer);
    const isProxy = isIn(this.#proxies, address);
    if (forwardedFor === undefined) return { address, isLimited: !isProxy };
    if (!isProxy || !this.#believesProxies) {
      if (isIn(this.#private, address)) this.#noteIgnored(address);
      return { address, isLimited: !isProxy };
    }
    for (const item of forwardedFor.split(',').reverse()) {
      const named = plainAddress(withoutPort(item.trim()));
      if (isIP(named) === 0) return { address, isLimited: true };
      if (!isIn(this.#proxies, named)) return { address: named, isLimited: true };
    }
    return { address, isLimited: false };
  }

  #noteIgnored(peer: string): void {
    const note = this.#onIgnored;
    this.#onIgnored = undefined;
    note?.(peer);
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/**
 * Checks an address in any spelling: in a block list, an IPv4 address written as IPv6 is the same address.
 */
function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** Some proxies write a port: `198.51.100.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/**
 * Writes an address in its canonical form (RFC 5952), without a zone, and IPv4 in IPv6 as IPv4; other text is
 * unchanged.
 */
function plainAddress(text: string): string {
  if (isIP(text) !== 6) return text;
  const { address } = new SocketAddress({ address: text.replace(/%.*/, ''), family: 'ipv6' });
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** Finds the network for counting a client: its /64 of IPv6, or its IPv4 address. */
export function clientNetwork(address: string): string {
  return isIP(address) === 6 ? networkOf(address) : address;
}

/** The first 64 bits of an IPv6 address: the smallest network that a provider gives a customer. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const tailGroups = tail?.split(':') ?? [];
  while (groups.length + tailGroups.length < 8) groups.push('0');
  const numbers = [...groups, ...tailGroups].slice(0, 4).map((group) => Number.parseInt(group, 16) || 0);
  return numbers.map((number) => number.toString(16)).join(':');
}

/** Counts by key, such as by client. A key whose count is 0 takes no memory. */
export class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Adds 1, or a number that may be negative; returns the new count. */
  add(key: Key, change = 1): number {
    const count = this.of(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
    return count;
  }

  /** The number of keys. */
  get size(): number {
    return this.#counts.size;
  }
}

/**
 * An amount that networks share: each may take a part of what the others leave, so that there is always room
 * for one more.
 */
export class Shares {
  readonly #max: number;
  readonly #part: number;
  readonly #held = new Counts<string>();
  #all = 0;

  constructor(max: number, part = 1 / 4) {
    this.#max = max;
    this.#part = part;
  }

  /** True if a network may take this much more. While half is free, its first share may exceed its part. */
  hasRoomFor(network: string, amount = 1): boolean {
    const own = this.#held.of(network);
    const left = this.#max - this.#all + own;
    return own + amount <= Math.ceil(left * this.#part) || (own === 0 && this.#all <= this.#max / 2);
  }

  /** Adds to the amount of a network; `extra` is the part that no other network has taken already. */
  add(network: string, amount = 1, extra = amount): void {
    this.#held.add(network, amount);
    this.#all += extra;
  }
}

/** The quota of a client is for ten seconds, so that a page with many pictures stays within it. */
const windowSeconds = 10;

/**
 * Limit on the clients that are counted; more share one quota, so that many addresses cannot fill the memory.
 */
const maxClients = 100_000;

/** A request beyond the rate limit. */
export interface RateRefusal {
  /** Seconds until the quota of the client is renewed, rounded up. */
  readonly retryAfterSeconds: number;
  /** The limit in words. */
  readonly detail: string;
}

/** The rate limit of clients: counts the requests of each in windows of ten seconds. */
export class RateLimiter {
  readonly #quota: number;
  /** The limit in words. */
  readonly #words: string;
  readonly #now: () => number;
  #counts = new Counts<string>();
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(requestsPerSecond: number, now = () => performance.now()) {
    this.#quota = Math.max(1, Math.floor(requestsPerSecond * windowSeconds));
    this.#words = `a client may send ${this.#quota} requests within ${windowSeconds} seconds`;
    this.#now = now;
  }

  /** Counts a request of a client; returns the refusal if it has used up its quota. */
  take(client: string): RateRefusal | undefined {
    const now = this.#now();
    if (now >= this.#endsAt) {
      this.#endsAt = now + windowSeconds * 1000;
      this.#counts = new Counts();
    }
    const isCounted = this.#counts.size < maxClients || this.#counts.of(client) > 0;
    if (this.#counts.add(isCounted ? client : '') <= this.#quota) return undefined;
    // The difference of two doubles can be a little more than the window.
    const retryAfterSeconds = Math.min(windowSeconds, Math.ceil((this.#endsAt - now) / 1000));
    return { retryAfterSeconds, detail: `${this.#words}; this one may continue in ${retryAfterSeconds} s` };
  }
}
