// Decides which IP addresses a webhook may have. Link-local and metadata addresses are always refused, also when they
// are embedded in IPv6; private addresses only under the rule `public`. Host names are resolved elsewhere.

import { BlockList, isIPv4, isIPv6 } from 'node:net';

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
  // Local-use NAT64: the position of the IPv4 address depends on the network, so the whole range is refused.
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

/** IPv6 prefixes that embed an IPv4 address, and the index of the first of its two groups. */
const CARRIERS: { prefix: BlockList; at: number; inverted?: true }[] = [
  { prefix: toList(['::ffff:0:0/96', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96']), at: 6 },
  // 6to4
  { prefix: toList(['2002::/16']), at: 1 },
  // Teredo: the address of the server, and the address of the client with all bits inverted
  { prefix: toList(['2001::/32']), at: 2 },
  { prefix: toList(['2001::/32']), at: 6, inverted: true },
];

const never = toList(NEVER);
const notPublic = toList(NOT_PUBLIC);

/** Returns why this address must not be called, or undefined if it may be called. */
export function findAddressIssue(address: string, rule: TargetRule): string | undefined {
  // A zone, as in fe80::1%eth0, names the interface and is not part of the address.
  const plain = address.split('%')[0] ?? '';
  if (!isIPv4(plain) && !isIPv6(plain)) return 'is no address';
  for (const one of [plain, ...carriedIn(plain)]) {
    if (isIn(never, one)) return 'is a link-local, metadata or reserved address, which is never called';
    if (rule === 'public' && isIn(notPublic, one)) return 'is not a public address (WEBHOOK_TARGETS=public)';
  }
  return undefined;
}

function carriedIn(address: string): string[] {
  if (isIPv4(address)) return [];
  const groups = toGroups(address);
  const carried = CARRIERS.filter(({ prefix }) => prefix.check(address, 'ipv6')).map(({ at, inverted }) => {
    const [high = 0, low = 0] = groups.slice(at, at + 2).map((group) => (inverted ? group ^ 0xffff : group));
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  });
  // ISATAP is recognised by the two groups before the IPv4 address.
  if ((groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe) {
    const [high = 0, low = 0] = groups.slice(6);
    carried.push(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`);
  }
  // ::1 matches the prefix ::/96 but does not embed the address 0.0.0.1.
  return address === '::1' ? [] : carried;
}

/** Returns the eight groups of an IPv6 address in any notation. */
function toGroups(address: string): number[] {
  // The URL parser converts the dotted form to hexadecimal and normalises the address; it has at most one `::` then.
  const hex = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = hex.split('::');
  const toNumbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
  const [before, after] = [toNumbers(head), toNumbers(tail ?? '')];
  return tail === undefined
    ? before
    : [...before, ...new Array(8 - before.length - after.length).fill(0), ...after];
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function toList(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
