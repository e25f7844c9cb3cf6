// Examines the sites: whether their controllers work, their certificates, their clocks and their syncs.

import type { Config } from '../../config/config.ts';
import { KINDS } from '../../controllers/kinds.ts';
import { lookAtServer, type ServerFacts } from '../../controllers/upstream/look-at-server.ts';
import type { ControllerFailure, FailureCause } from '../../domain/controller.ts';
import { credentialOptions, findKind } from '../../domain/controller-kind.ts';
import { isUnconfirmed, type Site } from '../../domain/sites/site.ts';
import { type SyncState, syncStateOf } from '../../domain/sites/site-sync.ts';
import { NOT_KNOWN_HERE, UNKNOWN } from '../../domain/unknown-value.ts';
import { REQUEST_DEADLINE_MS } from '../../domain/vouchers/settle-intents.ts';
import type { Installation } from '../installation.ts';
import type { ComparedClock } from './clock.ts';
import { type Finding, fault, ok, sayDuration, sayTime, warning } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const SOON_DAYS = 30;

const nameOf = ({ id, name }: Pick<Site, 'id' | 'name'>) => `site ${id} (${name})`;

export async function examineSites(
  installation: Installation,
  { publicUrl }: Config,
  patienceMs = REQUEST_DEADLINE_MS,
): Promise<{ findings: Finding[]; clocks: ComparedClock[] }> {
  const all = await installation.sites.list();
  if (all.length === 0) {
    const advice = `gastpass sites add --name NAME --controller unifi --url https://… --api-key-file FILE, or in the browser at ${publicUrl ?? ''}/sites`;
    return {
      findings: [warning('sites', `there are none: ${advice}`, { kind: 'sites-none' })],
      clocks: [],
    };
  }
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
  const about = nameOf(site);
  const named = { siteId: site.id, site: site.name };
  if (site.controllerKind === UNKNOWN) {
    const text = `its controller is ${NOT_KNOWN_HERE}: ${adviceFor(site, { cause: 'not-known' })}`;
    const fact = { kind: 'site-failing', cause: 'not-known', detail: NOT_KNOWN_HERE, ...named } as const;
    return { findings: [warning(about, text, fact)] };
  }
  if (!site.active) {
    const advice = `: test and activate it with gastpass sites set ${site.id} --active`;
    const text = `inactive${isUnconfirmed(site) ? advice : ''}`;
    return { findings: [ok(about, text, { kind: 'site-inactive', ...named })] };
  }
  const { url } = site.access ?? {};
  const controller = controllerOf(site);
  const signal = AbortSignal.timeout(patienceMs);
  const [failure, facts] = await Promise.all([
    controller.check(signal),
    url === undefined ? undefined : lookOnce(url),
  ]);
  const version = failure ? undefined : await controller.readVersion?.(signal);
  const findings = [
    failure
      ? fault(about, `${failure.text}: ${adviceFor(site, failure)}`, {
          kind: 'site-failing',
          cause: failure.cause ?? null,
          detail: failure.text,
          ...named,
        })
      : ok(about, `its controller works${version ? `, version ${version}` : ''}`, {
          kind: 'site-ok',
          version,
          ...named,
        }),
  ];
  if (url === undefined || !facts) return { findings };
  findings.push(...judgeCertificate(site, facts.certificateEndsAtMs, clock.nowMs()));
  const { aheadMs } = facts;
  return {
    findings,
    ...(aheadMs !== undefined && {
      clock: {
        url,
        of: `the controller of ${about}`,
        aheadMs,
        other: { kind: 'controller', site: site.name },
      },
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
  const about = `certificate of ${nameOf(site)}`;
  const named = { siteId: site.id, site: site.name };
  const confirm = `gastpass sites set ${site.id} --fingerprint SHA256`;
  if (site.access.trust.kind === 'insecure')
    return [
      warning(about, `any certificate is accepted, so others on the network could read along: ${confirm}`, {
        kind: 'certificate-insecure',
        ...named,
      }),
    ];
  const isPinned = site.access.trust.kind === 'pinned';
  const facts = { endsAtMs, isPinned, ...named };
  const renew = isPinned
    ? `renew it on the controller, then confirm the new one: ${confirm}`
    : 'renew it on the controller';
  const day = sayTime(endsAtMs).slice(0, 10);
  if (endsAtMs < nowMs)
    return [warning(about, `expired on ${day}: ${renew}`, { kind: 'certificate-expired', ...facts })];
  const days = Math.floor((endsAtMs - nowMs) / DAY_MS);
  return days < SOON_DAYS
    ? [
        warning(about, `expires on ${day}, in ${days} day${days === 1 ? '' : 's'}: ${renew}`, {
          kind: 'certificate-ending',
          days,
          ...facts,
        }),
      ]
    : [ok(about, `valid until ${day}`, { kind: 'certificate-ok', ...facts })];
}

export function adviceFor(
  { id, controllerKind }: Pick<Site, 'id' | 'controllerKind'>,
  { cause }: Pick<ControllerFailure, 'cause'>,
): string {
  const set = `gastpass sites set ${id}`;
  const kind = findKind(KINDS, controllerKind);
  const login = kind ? credentialOptions(kind) : '';
  const reach = `switch the controller on and let this machine reach it, or set its new address with ${set} --url https://… ${login}`;
  const address = `set the address of the controller with ${set} --url https://… ${login}`;
  const confirm = `${set} --fingerprint SHA256`;
  const wait = `wait some minutes, then try again with gastpass sites test ${id}`;
  const log = `look into the log of the controller, then try again with gastpass sites test ${id}`;
  const advice: Record<FailureCause, string> = {
    'name-unknown': address,
    'nobody-answers': reach,
    'not-https': address,
    // The text of this failure already says in which case to confirm the certificate.
    'other-certificate': confirm,
    'unvouched-certificate': `if it was renewed, confirm it with ${confirm}`,
    'not-controller': address,
    'api-missing': 'update the controller, or add the site anew with another kind of controller',
    'api-key': `create an API key on the controller, then ${set} ${login}`,
    login: `${set} ${login}`,
    'second-factor': `create a local account without a second factor on the controller, then ${set} ${login}`,
    role: `give the account on the controller the right to manage vouchers, or use another one: ${set} ${login}`,
    'no-such-site': `${set} --site NAME`,
    'other-console': `if it was replaced on purpose, create a voucher: with the next sync, the vouchers that are gone are ended here; else ${address}`,
    'asks-for-pause': wait,
    refused: log,
    failed: log,
    'too-slow': reach,
    'broke-off': reach,
    away: reach,
    busy: wait,
    'no-voucher': log,
    'list-too-long': 'delete old vouchers on the controller, or check what it lists',
    'not-known': 'upgrade this instance; a newer release stored the site',
  };
  if (kind && !kind.hasAddress) return `${set} --site default`;
  return cause ? (kind?.advice[cause] ?? advice[cause]) : log;
}

/** Reports for each active site how long ago voucher usage was last synced from its controller. */
export async function examineSyncs(
  { sites, syncs, clock }: Installation,
  { syncIntervalS }: Config,
  isServiceRunning: boolean,
): Promise<Finding[]> {
  const known = await syncs.list();
  const nowMs = clock.nowMs();
  return (await sites.listActive()).map((site) => {
    const about = `sync of ${nameOf(site)}`;
    const named = { siteId: site.id, site: site.name };
    const sync = known.get(site.id);
    const now = `gastpass sync --site ${site.id}`;
    const atMs = sync?.syncedAtMs ?? null;
    if (atMs !== null && atMs > nowMs + 60_000)
      return warning(
        about,
        `the last successful sync is dated ${sayTime(atMs)}, which is in the future: correct the clock, then run ${now}`,
        { kind: 'sync-future', atMs, ...named },
      );
    const last = atMs
      ? `the last successful sync was ${sayDuration(Math.max(0, nowMs - atMs))} ago`
      : 'no sync has succeeded yet';
    const wait = `the running service repeats it within ${sayDuration(Math.max(60_000, syncIntervalS * 1000))}; if not, restart it`;
    const texts: Record<SyncState, Finding> = {
      ok: ok(about, last, { kind: 'sync-ok', atMs: atMs ?? nowMs, ...named }),
      never: ok(about, `${last}: the service syncs while it runs, or run ${now}`, {
        kind: 'sync-never',
        ...named,
      }),
      stale: warning(about, `${last}: ${isServiceRunning ? wait : 'start the service'}, or run ${now}`, {
        kind: 'sync-stale',
        atMs,
        ...named,
      }),
      failing: warning(
        about,
        `${sync?.error ?? 'failed'}; ${last}: the service repeats it; to try now, run ${now}`,
        { kind: 'sync-failing', atMs, ...named },
      ),
    };
    return texts[syncStateOf(sync, nowMs, syncIntervalS)];
  });
}
