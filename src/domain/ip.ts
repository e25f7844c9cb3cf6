// IP addresses and ranges: the login throttle, trusted proxies and the targets of webhooks read them in the same way.

import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

export type IpAddress = IPv4 | IPv6;
export type IpRange = ReturnType<typeof ipaddr.parseCIDR>;

/** Undefined if the text is not an IP address. Short forms such as 1.2.3 do not count as one. */
export function parseIp(text: string): IpAddress | undefined {
  // A zone, as in fe80::1%eth0, names the interface and is not part of the address.
  const plain = text.split('%')[0] ?? '';
  const isIp = ipaddr.IPv4.isValidFourPartDecimal(plain) || ipaddr.IPv6.isValid(plain);
  return isIp ? ipaddr.parse(plain) : undefined;
}

export function isInRanges(ranges: IpRange[], ip: IpAddress): boolean {
  return ranges.some(([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits));
}
