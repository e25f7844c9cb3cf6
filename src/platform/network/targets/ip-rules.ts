// Decides which IP addresses webhooks, printers and the mail server may have. Link-local and metadata addresses are
// always refused, even if they are embedded in an IPv6 address. Private addresses are refused only under the rule
// `public`. Host names are resolved elsewhere.

import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { type IpRange, isInRanges, parseIp } from '../ip.ts';

export type TargetRule = 'any' | 'public';

/** Metadata services of cloud providers, which return credentials, and addresses that denote no single host. */
const NEVER = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '0.0.0.0/8',
  '224.0.0.0/4',
  '240.0.0.0/4',
  'fe80::/10',
  'ff00::/8',
  '::/128',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:42::42/128',
  // Local-use NAT64: where the IPv4 address is embedded depends on the network, so the whole range is refused.
  '64:ff9b:1::/48',
];

/** Private networks, and ranges that are not routed on the public internet. */
const NOT_PUBLIC = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24',
  '::1/128',
  'fc00::/7',
  'fec0::/10',
  '2001:db8::/32',
  '3fff::/20',
  '100::/64',
  '5f00::/16',
];

/** IPv6 prefixes that embed an IPv4 address; `at` is the index of the first of the two groups that hold it. */
const CARRIERS: { prefixes: IpRange[]; at: number; inverted?: true }[] = [
  { prefixes: toRanges(['::ffff:0:0/96', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96']), at: 6 },
  // 6to4
  { prefixes: toRanges(['2002::/16']), at: 1 },
  // Teredo: the address of the server, and the address of the client with all bits inverted
  { prefixes: toRanges(['2001::/32']), at: 2 },
  { prefixes: toRanges(['2001::/32']), at: 6, inverted: true },
];

const never = toRanges(NEVER);
const notPublic = toRanges(NOT_PUBLIC);

/** Returns why this address must not be called, or undefined if it may be called. */
export function findIpIssue(text: string, rule: TargetRule): string | undefined {
  const ip = parseIp(text);
  if (!ip) return 'is no address';
  const all = ip instanceof ipaddr.IPv4 ? [ip] : [ip, ...carriedIn(ip)];
  if (all.some((one) => isInRanges(never, one)))
    return 'is a link-local, metadata or reserved address, which is never called';
  if (rule === 'public' && all.some((one) => isInRanges(notPublic, one)))
    return 'is not a public address (WEBHOOK_TARGETS=public)';
  return undefined;
}

function carriedIn(address: IPv6): IPv4[] {
  const { parts } = address;
  const carried = CARRIERS.filter(({ prefixes }) => isInRanges(prefixes, address)).map(({ at, inverted }) => {
    const [high = 0, low = 0] = parts.slice(at).map((part) => (inverted ? part ^ 0xffff : part));
    return toIPv4(high, low);
  });
  // ISATAP is recognised by the two groups before the IPv4 address.
  if ((parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe)
    carried.push(toIPv4(parts[6] ?? 0, parts[7] ?? 0));
  // ::1 matches the prefix ::/96 but does not embed the address 0.0.0.1.
  return address.range() === 'loopback' ? [] : carried;
}

function toIPv4(high: number, low: number): IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}

function toRanges(texts: string[]): IpRange[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}
