/** Who a client is: its own address, or the one that a proxy says, where the proxy is trusted. */
import { BlockList, isIP } from 'node:net';

/**
 * Where proxies may be while nobody has said where they are: this machine and private networks (RFC 1918, 4193, 3927,
 * 4291). Clients from the open internet come from none of them.
 */
const privateNetworks = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
];

/** The addresses of clients behind connections and requests. */
export class ClientAddresses {
  readonly #proxies = new BlockList();
  readonly #believesProxies: boolean;

  /** @param trustedProxies networks in CIDR notation whose `X-Forwarded-For` counts; none where it never does. */
  constructor(trustedProxies: readonly string[]) {
    this.#believesProxies = trustedProxies.length > 0;
    for (const network of this.#believesProxies ? trustedProxies : privateNetworks) {
      const [address = '', bits] = network.split('/');
      this.#proxies.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** The address of the client as far as it is known: that of the proxy where the proxy says none. */
  find(peer: string, forwardedFor: string | undefined): string {
    const address = plainAddress(peer);
    if (!this.#believesProxies || forwardedFor === undefined || !this.#isProxy(address)) return address;
    return this.#findForwarded(forwardedFor) ?? address;
  }

  /**
   * What limits of this client count under: its address, or its /64 network of IPv6. Undefined where all its clients
   * would count together: it may be a proxy that does not say whom it serves.
   */
  limitKey(peer: string, forwardedFor?: string): string | undefined {
    const address = this.find(peer, forwardedFor);
    if (this.#isProxy(address)) return undefined;
    return isIP(address) === 6 ? networkOf(address) : address;
  }

  /** The last address that no trusted proxy has: what stands before it, anybody may have written. */
  #findForwarded(forwardedFor: string): string | undefined {
    for (const item of forwardedFor.split(',').reverse()) {
      const address = plainAddress(withoutPort(item.trim()));
      if (isIP(address) === 0) return undefined;
      if (!this.#isProxy(address)) return address;
    }
    return undefined;
  }

  #isProxy(address: string): boolean {
    return isIP(address) !== 0 && this.#proxies.check(address, familyOf(address));
  }
}

/** Some proxies write a port: `198.51.100.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** IPv4 as such where a socket for both families writes it as IPv6 (RFC 4291 2.5.5.2). */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/, '');
}

/** The first 64 bits of an IPv6 address: what one customer of a provider has at least. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const tailGroups = tail?.split(':') ?? [];
  while (groups.length + tailGroups.length < 8) groups.push('0');
  const numbers = [...groups, ...tailGroups].slice(0, 4).map((group) => Number.parseInt(group, 16) || 0);
  return numbers.map((number) => number.toString(16)).join(':');
}
