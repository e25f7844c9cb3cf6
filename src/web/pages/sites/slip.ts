// The slip designer of a site: the form, the logo, and a preview on every paper. The stored Wi-Fi password is never
// shown as text here; only the QR code of the preview contains it.

import { isDeepStrictEqual } from 'node:util';
import { asVoucherId } from '../../../domain/ids.ts';
import type { ImageIssue } from '../../../domain/settings/image-check.ts';
import { isPaper, PAPERS, type Paper } from '../../../domain/sites/paper.ts';
import type { Site } from '../../../domain/sites/site.ts';
import type { SiteSlip } from '../../../domain/sites/slip.ts';
import { isUnknownSlip } from '../../../domain/sites/slip.ts';
import { joinText } from '../../../print/join-text.ts';
import { PAPER_SHAPES } from '../../../print/papers.ts';
import type { WifiFact } from '../../../print/printed-slip.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import { choosePaper } from '../../http/cookies.ts';
import { problemPage } from '../../http/problem-page.ts';
import type { Route } from '../../http/route.ts';
import { type Html, html } from '../../ui/html.ts';
import { formToken, redirect, renderPage } from '../../ui/layout.ts';
import { message, note } from '../../ui/message.ts';
import { logoForm, siteLogoSrc } from '../settings/logo-form.ts';
import { drawSlip } from '../vouchers/printed-page.ts';
import { prepareSlips } from '../vouchers/slips.ts';
import { type ReadSlip, readSlip, slipFields, withoutIssues } from './slip-form.ts';
import { withSite } from './with-site.ts';

const PREVIEW = {
  id: asVoucherId(0),
  code: '0482715936',
  maxUses: 1,
  expireMinutes: 480,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
  usedCount: 0,
  createdAtS: 0,
  firstUsedAtS: null,
  endedAtS: null,
  revokedAtS: null,
};
const COVERED = '••••••••';

const path = '/sites/:site/slip';

export const siteSlipRoutes: Route[] = [
  { method: 'GET', path, permission: 'admin', run: withSite(showStored) },
  { method: 'POST', path, permission: 'admin', run: withSite(save) },
  { method: 'POST', path: `${path}/preview`, permission: 'admin', run: withSite(showTyped) },
];

async function showStored(context: AuthenticatedContext, site: Site): Promise<Response> {
  return show(context, site, { slip: await context.app.slips.find(site.id), issues: {} });
}

/** Shows the typed values and their preview. Nothing is saved. `logoIssue`: an uploaded logo was refused. */
export async function showTyped(
  context: AuthenticatedContext,
  site: Site,
  logoIssue?: ImageIssue,
): Promise<Response> {
  const read = readSlip(context, await context.app.slips.find(site.id));
  return show(context, site, { ...read, ...(logoIssue && { logoIssue, status: 422 }) });
}

/** Shows the slip after its logo was changed. What was typed in the other fields stays there, unsaved. */
export async function showAfterLogo(
  context: AuthenticatedContext,
  site: Site,
  notice: 'logoSaved' | 'logoRemoved',
): Promise<Response> {
  const stored = await context.app.slips.find(site.id);
  const read = readSlip(context, stored);
  if (isDeepStrictEqual(read.slip, stored)) return redirect(context, `/sites/${site.id}/slip`, notice);
  return show(context, site, { ...read, notice });
}

async function save(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { slips } = context.app;
  const stored = await slips.find(site.id);
  if (isUnknownSlip(stored)) return problemPage(context, 409, context.messages.admin.notKnownKept);
  const read = readSlip(context, stored);
  if (Object.keys(read.issues).length > 0) return show(context, site, { ...read, status: 422 });
  await slips.save(site.id, read.slip, auditContextOf(context));
  return redirect(context, `/sites/${site.id}/slip`, 'slipSaved');
}

interface Shown extends ReadSlip {
  logoIssue?: ImageIssue;
  /** What happened to the logo, while the other fields are not saved. */
  notice?: 'logoSaved' | 'logoRemoved';
  status?: 200 | 422;
}

async function show(
  context: AuthenticatedContext,
  site: Site,
  { slip, issues, logoIssue, notice, status = 200 }: Shown,
): Promise<Response> {
  const { slips, images } = context.app;
  const { slip: text, logo: logoText, notices } = context.messages;
  const stored = await slips.find(site.id);
  const logo = await images.find(`site-${site.id}`);
  const chosen = context.form.get('paper');
  const paper = isPaper(chosen) ? chosen : choosePaper(context);
  const mustRetype = (context.form.get('wifi-password') ?? '') !== '';
  return renderPage(context, {
    title: text.of(site.name),
    sendsRequests: true,
    issues: { ...issues, ...(logoIssue && { logo: logoText.issues[logoIssue] }) },
    status,
    ...((notice || mustRetype) && {
      message: html`${notice && message('success', html`${notices[notice]} ${text.restUnsaved}`)}${mustRetype && message('warning', text.retypePassword)}`,
    }),
    content: html`<h1>${text.of(site.name)}</h1><p>${text.intro}</p>
<div class="designer">
${isUnknownSlip(stored) && note('info', context.messages.admin.notKnownKept)}
<section class="card"><form id="slip" method="post" action="/sites/${site.id}/slip" data-preview="preview" novalidate>${formToken(context)}
${slipFields(context, { slip, issues, hasPassword: stored.wifiPassword !== null })}
<div class="actions"><button class="button primary" type="submit">${text.save}</button><button class="button" type="submit" formaction="/sites/${site.id}/slip/preview">${text.refresh}</button><a class="button" href="/sites/${site.id}">${text.back}</a></div></form></section>
<section class="card shown" aria-labelledby="preview-title"><h2 id="preview-title">${text.preview}</h2>
<fieldset class="field"><legend>${text.paper}</legend><div class="chips">${PAPERS.map(
      (one) =>
        html`<label class="chip"><input type="radio" name="paper" form="slip" value="${one}"${one === paper && html` checked`}><span>${text.papers[one]}</span></label>`,
    )}</div></fieldset>
${await preview(context, site, { slip: withoutIssues({ slip, issues }, stored), paper })}</section>
<section class="card"><h2>${logoText.title}</h2>${logoForm(context, { action: `/sites/${site.id}/logo`, src: siteLogoSrc(site.id, logo), issue: logoIssue, sentWith: 'slip' })}</section></div>`,
  });
}

async function preview(
  context: AuthenticatedContext,
  { id, name }: Site,
  { slip, paper }: { slip: SiteSlip; paper: Paper },
): Promise<Html> {
  const { slip: text } = context.messages;
  const sample = { ...PREVIEW, siteId: id, siteName: name, name: text.previewName };
  const { logos, slips: printed } = await prepareSlips(context, [sample], async () => slip);
  const covered = printed.map((one) => ({ ...one, wifi: one.wifi.map(cover) }));
  const { layout, content } = await drawSlip({ logos, slips: covered }, paper);
  const isRoll = PAPER_SHAPES[paper].kind === 'roll';
  return html`<div id="preview">${content}
<p class="soft">${isRoll ? text.length(layout.cell.height) : text.perSheet(layout.perSheet)}${slip.wifiPassword !== null && html`<br>${text.previewHint}`}</p>
${slip.wifiName !== '' && joinText(slip) === undefined && note('warning', text.noJoinQr)}
${layout.leftOut.length > 0 && note('warning', text.noRoom(layout.leftOut))}</div>`;
}

function cover(fact: WifiFact): WifiFact {
  return fact.isPassword ? { ...fact, value: COVERED } : fact;
}
