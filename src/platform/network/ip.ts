// Reads IP addresses and ranges. Used for trusted proxies, the targets of webhooks and the limits per network.

import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

const MAX_VERDICTS = 1_000;

export type IpAddress = IPv4 | IPv6;
export type IpRange = ReturnType<typeof ipaddr.parseCIDR>;

/** Undefined if the text is not an IP address. Short forms such as 1.2.3 do not count as one. */
export function parseIp(text: string): IpAddress | undefined {
  // A zone, as in fe80::1%eth0, names the interface and is not part of the address.
  const plain = text.split('%')[0] ?? '';
  // Only texts without a colon are checked for IPv4, because that check is slow for IPv6 addresses.
  const isIp = plain.includes(':') ? ipaddr.IPv6.isValid(plain) : ipaddr.IPv4.isValidFourPartDecimal(plain);
  return isIp ? ipaddr.parse(plain) : undefined;
}

export function isInRanges(ranges: IpRange[], ip: IpAddress): boolean {
  return ranges.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits));
}

/** Tells whether an IP address is one of these addresses or in one of these CIDR ranges. */
export function makeIpMatcher(entries: readonly string[]): (ip: string) => boolean {
  const ranges = entries.map(toRange);
  /**
   * Caches the results: parsing takes a twentieth of the time of a list request, and nearly all requests come from the
   * same few proxies.
   */
  const verdicts = new Map<string, boolean>();
  return (text) => {
    if (ranges.length === 0) return false;
    const known = verdicts.get(text);
    if (known !== undefined) return known;
    const ip = parseIp(text);
    const verdict = ip !== undefined && isInRanges(ranges, ip);
    if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
    verdicts.set(text, verdict);
    return verdict;
  };
}

/** A range of IPv4-mapped IPv6 addresses becomes the IPv4 range, because clients are compared as IPv4. */
function toRange(entry: string): IpRange {
  const bits = ipaddr.parse(entry.split('/')[0] ?? '').kind() === 'ipv4' ? 32 : 128;
  const [network, prefix] = ipaddr.parseCIDR(entry.includes('/') ? entry : `${entry}/${bits}`);
  if (!(network instanceof ipaddr.IPv6) || !network.isIPv4MappedAddress() || prefix < 96)
    return [network, prefix];
  return [network.toIPv4Address(), prefix - 96];
}

/**
 * The network of an IP address: the IPv4 /24 or the IPv6 /48. It is stored where the address itself must not be kept.
 */
export function shortenIp(ip: string): string {
  const network = networkOf(ip, 48);
  return network.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');
}

/**
 * Reduces an IPv6 address to its network of `bits` bits, because one IPv6 customer can use any number of addresses. An
 * IPv4 address is not reduced, even if it is written as IPv6.
 */
export function networkOf(ip: string, bits: 48 | 64): string {
  const whole = parseIp(ip);
  if (!whole) return ip;
  const parsed = whole instanceof ipaddr.IPv6 && whole.isIPv4MappedAddress() ? whole.toIPv4Address() : whole;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.map((group, index) => (index * 16 < bits ? group : 0));
  return `${new ipaddr.IPv6(groups)}/${bits}`;
}
