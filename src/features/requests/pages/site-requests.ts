// The request page on the page of a site: switches it on and off, shows its address, and sets who gets a mail.

import { siteDetails } from '../../../kernel/audit/audit-details.ts';
import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { linkTo } from '../../../kernel/pages/link-to.ts';
import { note } from '../../../kernel/pages/message.ts';
import { onlyHereNote } from '../../../kernel/pages/only-here-note.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import { showSite } from '../../../kernel/sites/pages/sites.ts';
import { withSite } from '../../../kernel/sites/pages/with-site.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { qrFigure } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { voucherStylesheet } from '../../../platform/pages/assets.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { makePathToken } from '../../../platform/secrets/token.ts';
import { isMailAddress } from '../../../platform/text/mail-address.ts';
import { REQUEST_PATH } from '../guest-request.ts';
import { REQUEST_TEXTS } from '../request-texts.ts';

const { get, post } = adminRoutes('/sites/:site/requests');

export const siteRequestRoutes: Route[] = [
  post('/on', withSite(switchOn)),
  post('/address', withSite(showAddress)),
  get('/off', withSite(askOff)),
  post('/off', withSite(switchOff)),
  get('/renew', withSite(askRenew)),
  post('/renew', withSite(renew)),
  post('/mail', withSite(saveMail)),
];

const baseOf = ({ id }: Site) => `/sites/${id}/requests`;

async function switchOn(context: AuthenticatedContext, site: Site): Promise<Response> {
  await context.app.guestRequests.openPage(site.id, makePathToken(), auditContextOf(context));
  return toAddress(context, site);
}

async function showAddress(context: AuthenticatedContext, site: Site): Promise<Response> {
  const details = siteDetails(site.id, site.name);
  await context.app.noteAudit({ ...auditContextOf(context), action: 'site.requests-shown', details });
  return toAddress(context, site);
}

async function toAddress(context: AuthenticatedContext, site: Site): Promise<Response> {
  const page = await context.app.guestRequests.findPage(site.id);
  return page ? addressPage(context, site, page.token) : redirect(context, `/sites/${site.id}`);
}

/** `token`: undefined if the stored token cannot be opened. */
function addressPage(context: AuthenticatedContext, site: Site, token: string | undefined): Response {
  const text = REQUEST_TEXTS[context.language];
  const url = token !== undefined && linkTo(context, `${REQUEST_PATH}/${token}`);
  return renderPage(context, {
    title: text.address,
    under: '/sites',
    stylesheets: [voucherStylesheet],
    content: html`<section class="card"><h1>${text.address}</h1><p><strong>${site.name}</strong></p>
${url ? html`<p>${text.addressWhat}</p>${onlyHereNote(context)}${qrFigure(url, { label: text.page, hint: site.name })}<p><code class="secret-text">${url}</code></p>` : note('warning', text.addressLost)}
<div class="actions">${url && html`<button class="button" type="button" hidden data-copy="${url}" data-copied="${context.messages.result.copied}">${icon('copy')}<span>${text.copy}</span></button>`}
<a class="button primary" href="/sites/${site.id}">${text.done}</a><a class="button risky" href="${baseOf(site)}/renew">${text.renew}</a></div></section>`,
  });
}

function askOff(context: AuthenticatedContext, site: Site): Response {
  const text = REQUEST_TEXTS[context.language];
  return confirm(context, {
    ask: text.switchOffAsk(site.name),
    what: text.switchOffWhat,
    action: `${baseOf(site)}/off`,
    button: text.switchOff,
    back: `/sites/${site.id}`,
    under: '/sites',
  });
}

async function switchOff(context: AuthenticatedContext, site: Site): Promise<Response> {
  await context.app.guestRequests.closePage(site.id, auditContextOf(context));
  return redirect(context, `/sites/${site.id}`, 'requestPageOff');
}

function askRenew(context: AuthenticatedContext, site: Site): Response {
  const text = REQUEST_TEXTS[context.language];
  return confirm(context, {
    ask: text.renewAsk(site.name),
    what: text.renewWhat,
    action: `${baseOf(site)}/renew`,
    button: text.renew,
    back: `/sites/${site.id}`,
    under: '/sites',
  });
}

async function renew(context: AuthenticatedContext, site: Site): Promise<Response> {
  const token = makePathToken();
  const isRenewed = await context.app.guestRequests.changePage(site.id, { token }, auditContextOf(context));
  return isRenewed ? addressPage(context, site, token.token) : redirect(context, `/sites/${site.id}`);
}

async function saveMail(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { app, form, language } = context;
  const typed = (form.get('requests-mail') ?? '').trim();
  if (typed !== '' && !isMailAddress(typed))
    return showSite(context, site, { issues: { 'requests-mail': REQUEST_TEXTS[language].mailToWrong } });
  const mailTo = typed === '' ? null : typed;
  await app.guestRequests.changePage(site.id, { mailTo }, auditContextOf(context));
  return redirect(context, `/sites/${site.id}`, 'requestPageSaved');
}
