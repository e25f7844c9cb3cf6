// The slip designer of a site: the form, the logo, and a preview on every paper. The stored Wi-Fi password is never
// shown as text here; only the QR code of the preview contains it.

import { paperStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { asVoucherId } from '../../ids.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { choosePaper } from '../../pages/cookies.ts';
import { formToken, redirect, renderPage } from '../../pages/layout.ts';
import { message, note } from '../../pages/message.ts';
import { problemPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import { siteLogoSrc } from '../../settings/pages/logo-form.ts';
import type { Image } from '../../settings/settings.ts';
import { withSite } from '../../sites/pages/with-site.ts';
import type { Site } from '../../sites/site.ts';
import { SAMPLE_VOUCHER } from '../../vouchers/sample-voucher.ts';
import { joinText } from '../join-text.ts';
import { isPaper, PAPERS, type Paper } from '../paper.ts';
import { PAPER_SHAPES } from '../papers.ts';
import { prepareSlips } from '../prepare-slips.ts';
import type { WifiFact } from '../printed-slip.ts';
import type { SiteSlip } from '../slip.ts';
import { isUnknownSlip } from '../slip.ts';
import { drawSlip } from './printed-page.ts';
import { type ReadSlip, readSlip, slipFields, withoutIssues } from './slip-form.ts';

const PREVIEW = { ...SAMPLE_VOUCHER, id: asVoucherId(0), siteTimeZone: null, revokedAtS: null };
const COVERED = '••••••••';

const path = '/sites/:site/slip';

export const siteSlipRoutes: Route[] = [
  { method: 'GET', path, permission: 'admin', run: withSite(showStored) },
  { method: 'POST', path, permission: 'admin', takesFile: true, run: withSite(save) },
  { method: 'POST', path: `${path}/preview`, permission: 'admin', takesFile: true, run: withSite(showTyped) },
];

async function showStored(context: AuthenticatedContext, site: Site): Promise<Response> {
  return show(context, site, { slip: await context.app.slips.find(site.id), issues: {} });
}

/** Shows the typed values and their preview. Nothing is saved. */
async function showTyped(context: AuthenticatedContext, site: Site): Promise<Response> {
  return show(context, site, readSlip(context, await context.app.slips.find(site.id)));
}

async function save(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { slips, images } = context.app;
  const stored = await slips.find(site.id);
  if (isUnknownSlip(stored)) return problemPage(context, 409, context.messages.admin.notKnownKept);
  const { slip, issues, newLogo } = readSlip(context, stored);
  if (Object.keys(issues).length > 0) return show(context, site, { slip, issues, newLogo, status: 422 });
  await slips.save(site.id, slip, auditContextOf(context));
  if (newLogo) await images.save(`site-${site.id}`, newLogo, auditContextOf(context));
  if (newLogo === null) await images.remove(`site-${site.id}`, auditContextOf(context));
  return redirect(context, `/sites/${site.id}/slip`, 'slipSaved');
}

async function show(
  context: AuthenticatedContext,
  site: Site,
  { slip, issues, newLogo, status = 200 }: ReadSlip & { status?: 200 | 422 },
): Promise<Response> {
  const { slips, images } = context.app;
  const { slip: text } = context.messages;
  const stored = await slips.find(site.id);
  const logo = await images.find(`site-${site.id}`);
  const chosen = context.form.get('paper');
  const paper = isPaper(chosen) ? chosen : choosePaper(context);
  const shown = withoutIssues({ slip, issues }, stored);
  const fields = {
    slip,
    issues,
    hasPassword: stored.wifiPassword !== null,
    logoSrc: siteLogoSrc(site.id, logo),
  };
  return renderPage(context, {
    title: text.of(site.name),
    stylesheets: [paperStylesheet],
    sendsRequests: true,
    issues,
    status,
    message: lostInputs(context, newLogo),
    content: html`<h1>${text.of(site.name)}</h1><p>${text.intro}</p>
<div class="designer">
${isUnknownSlip(stored) && note('info', context.messages.admin.notKnownKept)}
<section class="card"><form id="slip" method="post" action="/sites/${site.id}/slip" enctype="multipart/form-data" data-preview="preview" novalidate>${formToken(context)}
${slipFields(context, fields)}
<div class="actions"><button class="button primary" type="submit">${text.save}</button><button class="button" type="submit" formaction="/sites/${site.id}/slip/preview">${text.refresh}</button><a class="button" href="/sites/${site.id}">${text.back}</a></div></form></section>
<section class="card shown" aria-labelledby="preview-title"><h2 id="preview-title">${text.preview}</h2>
<fieldset class="field"><legend>${text.paper}</legend><div class="chips">${PAPERS.map(
      (one) =>
        html`<label class="chip"><input type="radio" name="paper" form="slip" value="${one}"${one === paper && html` checked`}><span>${text.papers[one]}</span></label>`,
    )}</div></fieldset>
${await preview(context, site, { slip: shown, paper, logo: newLogo === undefined ? logo : (newLogo ?? undefined) })}</section></div>`,
  });
}

/** Browsers do not fill in passwords and files again, so the user must enter them once more. */
function lostInputs(
  { form, messages }: AuthenticatedContext,
  newLogo: ReadSlip['newLogo'],
): Html | undefined {
  const { slip: text } = messages;
  const lost = [
    ...(form.get('wifi-password') ? [text.retypePassword] : []),
    ...(newLogo ? [text.chooseLogoAgain] : []),
  ];
  return lost.length > 0 ? html`${lost.map((said) => message('warning', said))}` : undefined;
}

interface Previewed {
  slip: SiteSlip;
  paper: Paper;
  /** The logo of the site. */
  logo: Image | undefined;
}

async function preview(
  context: AuthenticatedContext,
  { id, name }: Site,
  { slip, paper, logo }: Previewed,
): Promise<Html> {
  const { slip: text } = context.messages;
  const { images } = context.app;
  const sample = { ...PREVIEW, siteId: id, siteName: name, name: text.previewName };
  const { logos, slips: printed } = await prepareSlips([sample], {
    ...context,
    findSlip: async () => slip,
    findImage: async (image) => (image === `site-${id}` ? logo : images.find(image)),
  });
  const covered = printed.map((one) => ({ ...one, wifi: one.wifi.map(cover) }));
  const { layout, content } = await drawSlip({ logos, slips: covered }, paper);
  const isRoll = PAPER_SHAPES[paper].kind === 'roll';
  return html`<div id="preview"${isRoll && html` class="on-roll"`}>${content}
<p class="soft">${isRoll ? text.length(layout.cell.height) : text.perSheet(layout.perSheet)}${slip.wifiPassword !== null && html`<br>${text.previewHint}`}</p>
${slip.wifiName === '' && note('info', html`<a href="#wifi-name">${text.enterName}</a>: ${text.withName}`)}
${slip.wifiName !== '' && joinText(slip) === undefined && note('warning', text.noJoinQr)}
${layout.leftOut.length > 0 && note('warning', text.noRoom(layout.leftOut))}</div>`;
}

function cover(fact: WifiFact): WifiFact {
  return fact.isPassword ? { ...fact, value: COVERED } : fact;
}
