// The health page. It shows the same findings as `gastpass doctor`, as far as the running service can check them, and
// says what to do about each problem. Here an administrator can confirm that the clock of the server is right.

import { overviewStylesheet } from '../../../platform/pages/assets.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { isCertificateCause, isFixedByConnection } from '../../controllers/controller.ts';
import { confirm } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { redirect, renderPage } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import { commandLine, settingHelp } from '../../settings/pages/setting-help.ts';
import { fixFor, technicalText } from '../../sites/pages/controller-errors.ts';
import type { Finding, HealthFact } from '../finding.ts';
import type { Way } from '../health-check.ts';
import { makeFormats, type Said, sayFact } from '../health-said.ts';
import { settingFor } from './setting-for.ts';

const path = '/health/clock';

export const healthRoutes: Route[] = [
  { method: 'GET', path: '/health', permission: 'admin', run: show },
  { method: 'GET', path, permission: 'admin', run: askAboutClock },
  { method: 'POST', path, permission: 'admin', recentPassword: true, run: confirmClock },
];

async function askAboutClock(context: AuthenticatedContext) {
  const { nowMs } = context;
  const { health: text } = context.messages;
  const { heartbeatMs } = await context.app.clockRecords.read(nowMs);
  return confirm(context, {
    ask: text.askClock,
    what: text.clockShows(sayTime(nowMs, context), sayTime(heartbeatMs, context)),
    action: path,
    button: text.clockIsRight,
    back: '/health',
  });
}

async function confirmClock(context: AuthenticatedContext) {
  await context.app.clockRecords.confirm(auditContextOf(context));
  return redirect(context, '/health', 'clockConfirmed');
}

async function show(context: AuthenticatedContext) {
  const { health: text } = context.messages;
  const findings = withoutEchoes(await context.app.examineHealth());
  const of = (state: Finding['state']) => findings.filter((finding) => finding.state === state);
  const [faults, warnings, good] = [of('fault'), of('warning'), of('ok')];
  const isWell = faults.length + warnings.length === 0;
  return renderPage(context, {
    title: text.title,
    stylesheets: [overviewStylesheet],
    content: html`<h1>${text.title}</h1>
${isWell && note('success', text.allWell)}
${faults.length > 0 && html`<section class="card bad"><h2>${text.faults}</h2><ul class="concerns">${faults.map((finding) => problem(context, finding))}</ul></section>`}
${warnings.length > 0 && html`<section class="card"><h2>${text.warnings}</h2><ul class="concerns cautions">${warnings.map((finding) => problem(context, finding))}</ul></section>`}
<section class="card examined">${goodList(context, good, isWell)}
<div class="actions"><a class="button" href="/health">${text.again}</a><span class="soft">${text.checkedAt(sayTime(context.nowMs, context))}</span></div>
<p class="soft">${text.more} <code>gastpass doctor</code></p></section>`,
  });
}

/** Removes the finding that the sync of a site fails if another finding already says that its controller fails. */
function withoutEchoes(findings: Finding[]): Finding[] {
  const failing = new Set(
    findings.map(({ fact }) => (fact.kind === 'site-failing' ? fact.siteId : undefined)),
  );
  return findings.filter(({ fact }) => fact.kind !== 'sync-failing' || !failing.has(fact.siteId));
}

function problem(context: AuthenticatedContext, { fact }: Finding): Html {
  const { title, text, todo, command, detail } = tell(context, fact);
  const way = wayOut(context, fact);
  const setting = settingFor(fact, context.app.settingsPlace);
  // The help shows the setting in the way that suits this installation.
  const isSetting = setting !== undefined && command === `${setting.name}=${setting.value}`;
  return html`<li>${icon('warning')}<div><strong>${title}</strong><br>${text}${todo !== undefined && html`<br>${todo}`}${command !== undefined && !isSetting && commandLine(context, command)}${setting && settingHelp(context, setting)}${detail !== undefined && html`<br>${technicalText(context, detail)}`}</div>${way && html`<a class="button mend" href="${way.href}">${way.label}<span class="hidden-text">: ${title}</span></a>`}</li>`;
}

function goodList(context: AuthenticatedContext, good: Finding[], isOpen: boolean): Html {
  const facts = good.map(({ fact }): [string, Html] => {
    const { title, text } = tell(context, fact);
    const setting = settingFor(fact, context.app.settingsPlace);
    return [title, html`${text}${setting && settingHelp(context, setting)}`];
  });
  return html`<details${isOpen && html` open`}><summary class="fine">${icon('valid')}<span>${context.messages.health.good(good.length)}</span></summary>${factList(facts)}</details>`;
}

function tell(context: AuthenticatedContext, fact: HealthFact): Said {
  const { messages, language, app } = context;
  const formats = makeFormats(context, (cause) => fixFor(context, cause));
  const texts = [messages.health.said, ...app.healthChecks.map(({ said }) => said[language])];
  return sayFact(texts, fact.kind, fact, formats);
}

/** The link to the page where the problem can be fixed. Undefined if there is no such page. */
function wayOut(context: AuthenticatedContext, fact: HealthFact): Way | undefined {
  const { health, overview, lostVouchers } = context.messages;
  switch (fact.kind) {
    case 'site-failing':
      if (isCertificateCause(fact.cause))
        return { href: `/sites/${fact.siteId}`, label: overview.toCertificate };
      return isFixedByConnection(fact.cause)
        ? { href: `/sites/${fact.siteId}/access`, label: overview.toConnection }
        : { href: `/sites/${fact.siteId}`, label: overview.toSite };
    case 'certificate-insecure':
    case 'certificate-expired':
    case 'certificate-ending':
      return { href: `/sites/${fact.siteId}/access`, label: overview.toConnection };
    case 'site-zone-unknown':
      return { href: `/sites/${fact.siteId}#time-zone`, label: overview.toSite };
    case 'sync-future':
    case 'sync-stale':
    case 'sync-failing':
      return { href: `/sites/${fact.siteId}`, label: overview.toSite };
    case 'vouchers-lost':
      return { href: `/sites/${fact.siteId}/lost`, label: lostVouchers.again };
    case 'sites-none':
      return { href: '/sites', label: health.addSite };
    case 'clock-doubted':
      return { href: '/health/clock', label: health.confirmClock };
    case 'retention-held-back':
    case 'ended-vouchers-held-back':
      return { href: '/settings#retention', label: health.toRetention };
    case 'intents-overdue':
      return { href: '/sites', label: health.toSites };
    case 'admins-none':
      return { href: '/users', label: health.toUsers };
    case 'keys-ending':
      return { href: '/keys', label: health.toKeys };
    default:
      return context.app.healthChecks
        .map((check) => check.wayOut?.(fact, context))
        .find((way) => way !== undefined);
  }
}
