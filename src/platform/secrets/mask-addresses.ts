// Masks the addresses and ports of controllers and databases in error texts: a caller of the API must not learn them.
// The log keeps the full texts. Versions, times and voucher codes are not masked.

import { parseIp } from '../network/ip.ts';
import { MASK } from './mask-secrets.ts';

const HIDDEN = '…';
/** No IPv6 address is longer than this, even with brackets, zone and port. */
const MAX_ADDRESS_LENGTH = 100;

/**
 * A name with dots counts as a host name only if it has one of these endings. Otherwise it may be an error code
 * (`api.err.Invalid`) or the name of a column.
 */
const TOP_LEVEL =
  'local|localdomain|lan|home|internal|intern|private|corp|box|arpa|com|net|org|info|io|cloud|de|at|ch|li|lu|eu';

/** Words that are not host names, although a colon and a number may follow them, as in `status:404`. */
const NOT_A_HOST = 'status|code|errno|error|http|line|column|position|id|site|voucher|count|version';

type Replace = (whole: string, ...groups: string[]) => string;

// Every repetition is bounded or can match in only one way: matching a hostile text takes linear time.
const patterns: [RegExp, string | Replace][] = [
  [
    /\b([a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"'<>]{1,500}@)?[^\s"'<>]*/gi,
    (_, scheme = '', userInfo) => `${scheme}${userInfo ? `${MASK}@` : ''}${HIDDEN}`,
  ],
  // Error texts of Node. ` - Local (…)` contains the address of this machine.
  [/ - Local \([^()\s]{0,100}\)/g, ''],
  [/\b(getaddrinfo|query[A-Z]\w{0,10}) (E\w{1,20}) [^\s,;"']+/g, `$1 $2 ${HIDDEN}`],
  [/\b(connect E[A-Z]{1,20}) (?=[^\s:/.]*[:/.])[^\s,;"']+/g, `$1 ${HIDDEN}`],
  [
    /\b(Host|IP): \S{1,300} is not (in the cert's altnames|in the cert's list|cert's CN)(?::[^\r\n]*)?/g,
    '$1 is not $2',
  ],
  // Texts of PostgreSQL, and fields of JSON.
  [
    /\b(host(?:[ -]?name)?|server at|address)(["']?\s{0,3}[:=]?\s{0,3})(["'])[^"'\r\n]{1,300}\3/gi,
    `$1$2$3${HIDDEN}$3`,
  ],
  [/\b(host(?:name)?\s{0,3}[:=]\s{0,3})[^\s"',;()]+/gi, `$1${HIDDEN}`],
  [/\b(port["']?\s{0,3}[:=]?\s{0,3}["']?)\d{1,5}(?!\w)/gi, `$1${HIDDEN}`],
  [/(?<![\w.:/])\/(?:[\w.@%+~-]+\/)*[\w.@%+~-]*(?:\.s\.PGSQL\.\d{1,5}|\.sock)(?!\w)/g, HIDDEN],
  // Any text: IPv6 addresses, IPv4 addresses, host names with a port and host names.
  [
    /(?<![\w:.])\[?(?:[0-9a-f]{0,4}:){2,}[0-9a-f.]{0,15}(?:%[\w.-]{1,40})?\]?(?::\d{1,5})?(?:\/\d{1,3})?(?!\w)/gi,
    (found) => (isIpv6(found) ? HIDDEN : found),
  ],
  [
    /(?<!\d)(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?!\d)(?:\.\d+)*(?::\d{1,5}(?!\w))?(?:\/\d{1,3}(?!\w))?/g,
    HIDDEN,
  ],
  [
    new RegExp(
      `(?<![\\w.:/@-])(?!(?:${NOT_A_HOST}):|\\d{4}-\\d\\d-\\d\\dT)(?=[\\w.-]{0,300}[a-z])[\\w-]{1,300}(?:\\.[\\w-]{1,300}){0,20}\\.?:\\d{2,5}(?!\\w)`,
      'gi',
    ),
    HIDDEN,
  ],
  [
    new RegExp(
      `(?<![\\w.@-])(?!api\\.err\\.)(?:[a-z0-9_][\\w-]{0,62}\\.){1,20}(?:${TOP_LEVEL})(?![\\w-]|\\.\\w)`,
      'gi',
    ),
    HIDDEN,
  ],
];

/**
 * `controllerUrl` is the URL of the controller that the text is about. Its host name is masked everywhere in the text.
 */
export function maskAddresses(text: string, controllerUrl?: string): string {
  let masked = maskHostOf(controllerUrl, text);
  for (const [pattern, replacement] of patterns)
    masked =
      typeof replacement === 'string'
        ? masked.replace(pattern, replacement)
        : masked.replace(pattern, replacement);
  // At the end of a text such as `connect ECONNREFUSED 192.0.2.1:443`, the address is removed without an ellipsis.
  return masked !== text && masked.endsWith(` ${HIDDEN}`) ? masked.slice(0, -2) : masked;
}

/** A host name without a dot is not masked, because it could be an ordinary word of the text, for example `unifi`. */
function maskHostOf(url: string | undefined, text: string): string {
  const host = url === undefined ? '' : (URL.parse(url)?.hostname ?? '');
  if (!host.includes('.')) return text;
  const literal = host.replace(/[^a-z0-9-]/gi, '\\$&');
  return text.replace(
    new RegExp(`(?<![\\w.-])${literal}(?![\\w-]|\\.\\w)(?::\\d{1,5}(?!\\w))?`, 'gi'),
    HIDDEN,
  );
}

/**
 * Also true for an address with brackets, a prefix length or a port. Node writes a port without brackets, as in
 * `::1:443`.
 */
function isIpv6(found: string): boolean {
  if (found.length > MAX_ADDRESS_LENGTH) return false;
  const address = found.replace(/\/\d{1,3}$/, '').replace(/^\[|\](?::\d{1,5})?$/g, '');
  return [address, address.replace(/:\d{1,5}$/, '')].some((text) => parseIp(text) !== undefined);
}
