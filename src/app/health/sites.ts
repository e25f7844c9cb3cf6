// Examines the sites: whether their controllers work, their certificates, their clocks and their syncs.

import type { Config } from '../../config/config.ts';
import { lookAtServer, type ServerFacts } from '../../controllers/upstream/look-at-server.ts';
import { REQUEST_DEADLINE_MS } from '../../domain/deadline.ts';
import type { Finding } from '../../domain/health/finding.ts';
import { isUnconfirmed, type Site } from '../../domain/sites/site.ts';
import { type SyncState, syncStateOf } from '../../domain/sites/site-sync.ts';
import { NOT_KNOWN_HERE, UNKNOWN } from '../../domain/unknown-value.ts';
import type { Installation } from '../installation.ts';
import type { ComparedClock } from './clock.ts';
import { fault, ok, warning } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const SOON_DAYS = 30;

export async function examineSites(
  installation: Installation,
  patienceMs = REQUEST_DEADLINE_MS,
): Promise<{ findings: Finding[]; clocks: ComparedClock[] }> {
  const all = await installation.sites.list();
  if (all.length === 0) return { findings: [warning({ kind: 'sites-none' })], clocks: [] };
  const servers = new Map<string, Promise<ServerFacts | undefined>>();
  const lookOnce = (url: string) => {
    const looked = servers.get(url) ?? lookAtServer(url, { clock: installation.clock, patienceMs });
    servers.set(url, looked);
    return looked;
  };
  const examined = await Promise.all(
    all.map((site) => examineSite(installation, site, { lookOnce, patienceMs })),
  );
  // Sites on one controller share its clock.
  const clocks = new Map<string, ComparedClock>();
  for (const { clock } of examined) if (clock && !clocks.has(clock.url)) clocks.set(clock.url, clock);
  return { findings: examined.flatMap(({ findings }) => findings), clocks: [...clocks.values()] };
}

interface ExamineOptions {
  lookOnce: (url: string) => Promise<ServerFacts | undefined>;
  /** How long a controller may take to answer. */
  patienceMs: number;
}

async function examineSite(
  { controllerOf, clock }: Installation,
  site: Site,
  { lookOnce, patienceMs }: ExamineOptions,
): Promise<{ findings: Finding[]; clock?: ComparedClock & { url: string } }> {
  const named = { siteId: site.id, site: site.name, controllerKind: site.controllerKind };
  if (site.controllerKind === UNKNOWN) {
    const fact = { kind: 'site-failing', cause: 'not-known', detail: NOT_KNOWN_HERE, ...named } as const;
    return { findings: [warning(fact)] };
  }
  if (!site.active)
    return { findings: [ok({ kind: 'site-inactive', isUnconfirmed: isUnconfirmed(site), ...named })] };
  const { url } = site.access ?? {};
  const controller = controllerOf(site);
  const signal = AbortSignal.timeout(patienceMs);
  const [failure, facts] = await Promise.all([
    controller.check(signal),
    url === undefined ? undefined : lookOnce(url),
  ]);
  const version = failure ? undefined : await controller.readVersion?.(signal);
  const findings: Finding[] = [
    failure
      ? fault({ kind: 'site-failing', cause: failure.cause ?? null, detail: failure.text, ...named })
      : ok({ kind: 'site-ok', version, ...named }),
  ];
  if (url === undefined || !facts) return { findings };
  findings.push(...judgeCertificate(site, facts.certificateEndsAtMs, clock.nowMs()));
  const { aheadMs } = facts;
  return {
    findings,
    ...(aheadMs !== undefined && {
      clock: { url, of: { kind: 'controller', site: site.name }, aheadMs },
    }),
  };
}

/** The driver itself refuses an expired certificate only if an authority vouches for it. */
export function judgeCertificate(
  site: Pick<Site, 'id' | 'name' | 'access'>,
  endsAtMs: number,
  nowMs: number,
): Finding[] {
  if (!site.access) return [];
  const named = { siteId: site.id, site: site.name };
  if (site.access.trust.kind === 'insecure') return [warning({ kind: 'certificate-insecure', ...named })];
  const facts = { endsAtMs, isPinned: site.access.trust.kind === 'pinned', ...named };
  if (endsAtMs < nowMs) return [warning({ kind: 'certificate-expired', ...facts })];
  const days = Math.floor((endsAtMs - nowMs) / DAY_MS);
  return [
    days < SOON_DAYS
      ? warning({ kind: 'certificate-ending', days, ...facts })
      : ok({ kind: 'certificate-ok', ...facts }),
  ];
}

/** Reports for each active site how long ago voucher usage was last synced from its controller. */
export async function examineSyncs(
  { sites, syncs, clock }: Installation,
  { syncIntervalS }: Config,
): Promise<Finding[]> {
  const known = await syncs.list();
  const nowMs = clock.nowMs();
  return (await sites.listActive()).map(({ id, name }) => {
    const named = { siteId: id, site: name };
    const sync = known.get(id);
    const atMs = sync?.syncedAtMs ?? null;
    if (atMs !== null && atMs > nowMs + 60_000) return warning({ kind: 'sync-future', atMs, ...named });
    const findings: Record<SyncState, Finding> = {
      ok: ok({ kind: 'sync-ok', atMs: atMs ?? nowMs, ...named }),
      never: ok({ kind: 'sync-never', ...named }),
      stale: warning({ kind: 'sync-stale', atMs, ...named }),
      failing: warning({ kind: 'sync-failing', atMs, detail: sync?.error ?? '', ...named }),
    };
    return findings[syncStateOf(sync, nowMs, syncIntervalS)];
  });
}
