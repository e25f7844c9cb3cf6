// Sets the public address in the browser. An address is stored only if this request came in under it, so a mistyped
// address cannot redirect users away from the service. For any other address, a page says how to open it first.

import { html } from '../../../platform/pages/ui/html.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { redirect, renderPage } from '../../pages/layout.ts';
import { isOnThisMachine } from '../../pages/link-to.ts';
import { note } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import { originOf } from '../public-url.ts';
import { FIELD, originSeen } from './public-url-form.ts';
import { settingHelp } from './setting-help.ts';
import { showSettings } from './settings.ts';

const CARD = `/settings#${FIELD}-card`;

export const publicUrlRoutes: Route[] = [
  {
    method: 'POST',
    path: '/settings/public-url',
    formAt: '/settings',
    permission: 'admin',
    recentPassword: true,
    run: save,
  },
];

async function save(context: AuthenticatedContext) {
  const { app, form, messages, request } = context;
  const { issues } = messages.settings.publicUrl;
  if (app.environmentPublicUrl !== undefined) return redirect(context, CARD);
  const typed = (form.get(FIELD) ?? '').trim();
  if (typed === '') return store(context, null);
  const url = originOf(typed, request.isHttps() ? 'https' : 'http');
  if (url === undefined) return showSettings(context, { [FIELD]: issues.wrong });
  if (isOnThisMachine(url)) return showSettings(context, { [FIELD]: issues['only-here'] });
  const seen = originSeen(context);
  if (url === seen) return store(context, url);
  return url === seen.replace(/^http:/, 'https:') ? showPlain(context) : showWayThere(context, url);
}

async function store(context: AuthenticatedContext, publicUrl: string | null) {
  if (publicUrl !== context.settings.publicUrl)
    await context.app.settings.change({ publicUrl }, auditContextOf(context));
  return redirect(context, '/settings', 'settingsSaved');
}

function showWayThere(context: AuthenticatedContext, url: string) {
  const { publicUrl: text } = context.messages.settings;
  return renderPage(context, {
    title: text.openThere,
    content: html`<section class="card"><h1>${text.openThere}</h1><p>${text.openWhat(url)}</p>${note('info', text.notThere)}
<div class="actions"><a class="button primary" href="${url}${CARD}">${text.open(url)}</a><a class="button" href="${CARD}">${text.back}</a></div></section>`,
  });
}

/**
 * The browser may well use HTTPS, but the service knows this only from a trusted proxy. The IP address may be that of
 * the browser itself, so the page shows it as a proxy only if it has sent X-Forwarded-For.
 */
async function showPlain(context: AuthenticatedContext) {
  const { publicUrl: text } = context.messages.settings;
  const ip = context.request.clientIp();
  const advice = (await context.app.adviseOnProxies()).find((each) => each.ip === ip);
  const explanation = advice
    ? html`<p>${text.plainProxy(ip)}</p>${settingHelp(context, { name: 'TRUSTED_PROXIES', value: advice.proxies })}`
    : html`<p>${text.plain(originSeen(context))}</p>`;
  return renderPage(context, {
    title: text.plainTitle,
    content: html`<section class="card"><h1>${text.plainTitle}</h1>${explanation}
<div class="actions"><a class="button" href="${CARD}">${text.back}</a></div></section>`,
  });
}
