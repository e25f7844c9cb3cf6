// Proxies that TRUSTED_PROXIES does not name although they send X-Forwarded-For. All clients of such a proxy count as
// one client, so the service notes the proxy and shows it on the overview and in `doctor`. Any client can send the
// header, so a noted IP address is not necessarily a proxy.

import type { Log } from '../../platform/log/log.ts';
import { makeIpMatcher, networkOf, parseIp } from '../../platform/network/ip.ts';
import type { Clock } from '../../platform/time/clock.ts';

const HOUR_MS = 60 * 60_000;
const MAX_NOTED_PER_HOUR = 10;
const MAX_LOGGED = 100;
const MAX_SHOWN = 3;
/** A noted proxy is no longer reported if it has not sent X-Forwarded-For for this long. */
export const PROXY_FORGOTTEN_AFTER_MS = 24 * HOUR_MS;

export interface UntrustedProxy {
  ip: string;
  seenAtMs: number;
}

export interface UntrustedProxyStore {
  list(): Promise<UntrustedProxy[]>;
  note(proxy: UntrustedProxy): Promise<void>;
  /** Removes the proxies that are trusted now. */
  forget(isTrusted: (ip: string) => boolean): Promise<void>;
}

interface NoteDeps {
  untrustedProxies: Pick<UntrustedProxyStore, 'note'>;
  clock: Clock;
  log: Log;
}

/**
 * Stores at most one IP address per network and hour, and logs each network once. The number of stored and logged
 * networks is limited, because any client can send the header.
 */
export function makeNoteUntrustedProxy({ untrustedProxies, clock, log }: NoteDeps): (ip: string) => void {
  const logged = new Set<string>();
  const noted = new Set<string>();
  let hour: number | undefined;

  return function noteUntrustedProxy(ip) {
    const seenAtMs = clock.nowMs();
    const current = Math.floor(seenAtMs / HOUR_MS);
    if (current !== hour) noted.clear();
    hour = current;
    const network = networkOf(ip, 64);
    if (noted.has(network) || noted.size >= MAX_NOTED_PER_HOUR) return;
    noted.add(network);
    untrustedProxies
      .note({ ip, seenAtMs })
      .catch((error) => log.error({ err: error }, 'an untrusted proxy could not be noted'));
    if (logged.has(network) || logged.size >= MAX_LOGGED) return;
    logged.add(network);
    log.warn(
      { ip },
      'X-Forwarded-For is ignored, because TRUSTED_PROXIES does not name this proxy; all its clients count as one',
    );
  };
}

export interface ProxyAdvice {
  ip: string;
  /** The value for TRUSTED_PROXIES if the IP address belongs to the installation's own proxy. */
  proxies: string;
}

interface AdviceDeps {
  untrustedProxies: Pick<UntrustedProxyStore, 'list'>;
  trustedProxies: readonly string[];
  clock: Clock;
}

/** Lists private IP addresses first: they are more likely to be a proxy of the installation. */
export async function adviseOnProxies(deps: AdviceDeps): Promise<ProxyAdvice[]> {
  const { untrustedProxies, trustedProxies, clock } = deps;
  const isTrusted = makeIpMatcher(trustedProxies);
  const since = clock.nowMs() - PROXY_FORGOTTEN_AFTER_MS;
  const recent = (await untrustedProxies.list()).filter(
    ({ ip, seenAtMs }) => seenAtMs > since && !isTrusted(ip),
  );
  const [internal, others] = [
    recent.filter(({ ip }) => !isPublic(ip)),
    recent.filter(({ ip }) => isPublic(ip)),
  ];
  return [...internal, ...others]
    .slice(0, MAX_SHOWN)
    .map(({ ip }) => ({ ip, proxies: [...trustedProxies, ip].join(',') }));
}

function isPublic(ip: string): boolean {
  return parseIp(ip)?.range() === 'unicast';
}
