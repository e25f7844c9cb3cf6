// The slip settings of a site: Wi-Fi, custom text, logo and a preview. The stored Wi-Fi password is never shown as
// text here; only the QR code of the preview contains it.

import { asVoucherId } from '../../../domain/ids.ts';
import type { Site } from '../../../domain/sites/site.ts';
import {
  issueOfSlipText,
  issueOfWifiName,
  issueOfWifiPassword,
  MAX_SLIP_LINES,
  MAX_SLIP_TEXT_LENGTH,
  MAX_WIFI_NAME_BYTES,
  MAX_WIFI_PASSWORD_LENGTH,
  MIN_WIFI_PASSWORD_LENGTH,
  type SiteSlip,
  type SlipIssue,
  type SlipStore,
} from '../../../domain/sites/slip.ts';
import type { WifiFact } from '../../../print/printed-slip.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { selectField, textArea, textField } from '../../ui/fields.ts';
import { type Html, html } from '../../ui/html.ts';
import { formToken, redirect, renderPage } from '../../ui/layout.ts';
import { logoForm, siteLogoSrc } from '../settings/logo.ts';
import { paperOf } from '../vouchers/printed-page.ts';
import { prepareSlips, type SlipDeps } from '../vouchers/slips.ts';

type WithSite = (
  context: AuthenticatedContext,
  run: (site: Site) => Response | Promise<Response>,
) => Promise<Response>;
type Issues = Partial<Record<'wifi-name' | 'wifi-password' | 'text', string>>;

interface Deps extends SlipDeps {
  slips: Pick<SlipStore, 'find' | 'save'>;
  withSite: WithSite;
}

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
};
const COVERED = '••••••••';

export function makeSiteSlipPages(deps: Deps): Route[] {
  const { slips, withSite } = deps;
  const path = '/sites/:site/slip';
  return [
    {
      method: 'GET',
      path,
      access: 'admin',
      run: (context) =>
        withSite(context, async (site) =>
          show(context, site, { shown: await slips.find(site.id), issues: {} }),
        ),
    },
    {
      method: 'POST',
      path,
      access: 'admin',
      run: (context) => withSite(context, (site) => save(context, site)),
    },
  ];

  async function save(context: AuthenticatedContext, site: Site): Promise<Response> {
    const { slip, issues } = read(context, await slips.find(site.id));
    if (Object.keys(issues).length > 0) return show(context, site, { shown: slip, issues });
    await slips.save(site.id, slip, auditContextOf(context));
    return redirect(context, `/sites/${site.id}/slip`, 'slipSaved');
  }

  async function show(
    context: AuthenticatedContext,
    site: Site,
    { shown, issues }: { shown: SiteSlip; issues: Issues },
  ): Promise<Response> {
    const { slip: text } = context.messages;
    const stored = await slips.find(site.id);
    const logo = await deps.images.find(`site-${site.id}`);
    return renderPage(context, {
      title: text.of(site.name),
      issues,
      content: html`<h1>${text.of(site.name)}</h1><p>${text.intro}</p>
<section class="card"><form method="post" action="/sites/${site.id}/slip" novalidate>${formToken(context)}
${fields(context, { shown, issues, hasPassword: stored.wifiPassword !== null })}
<div class="actions"><button class="button primary" type="submit">${text.save}</button><a class="button" href="/sites/${site.id}">${text.back}</a></div></form></section>
<section class="card"><h2>${context.messages.logo.title}</h2>${logoForm(context, { action: `/sites/${site.id}/logo`, src: siteLogoSrc(site.id, logo) })}</section>
<section class="card"><h2>${text.preview}</h2>${stored.wifiPassword !== null && html`<p class="soft">${text.previewHint}</p>`}${await preview(context, site)}</section>`,
    });
  }

  async function preview(context: AuthenticatedContext, { id, name }: Site): Promise<Html> {
    const sample = { ...PREVIEW, siteId: id, siteName: name, name: context.messages.slip.previewName };
    const { logos, slips: drawn } = await prepareSlips(context, [sample], deps);
    const covered = drawn.map((slip) => ({ ...slip, wifi: slip.wifi.map(cover) }));
    return paperOf({ logos, slips: covered }, 'a4');
  }
}

function cover(fact: WifiFact): WifiFact {
  return fact.isPassword ? { ...fact, value: COVERED } : fact;
}

function fields(
  { messages: { slip: text } }: AuthenticatedContext,
  { shown, issues, hasPassword }: { shown: SiteSlip; issues: Issues; hasPassword: boolean },
): Html {
  return html`${textField({ name: 'wifi-name', label: text.wifiName, hint: text.wifiNameHint, value: shown.wifiName, error: issues['wifi-name'] })}
${selectField({
  name: 'wifi-security',
  label: text.wifiSecurity,
  value: shown.wifiSecurity,
  choices: [
    { value: 'open', label: text.open },
    { value: 'wpa', label: text.wpa },
  ],
})}
${textField({
  name: 'wifi-password',
  label: text.wifiPassword,
  type: 'password',
  hint: hasPassword ? text.wifiPasswordKept : text.wifiPasswordHint,
  error: issues['wifi-password'],
  autocomplete: 'new-password',
})}
${hasPassword && html`<p><label class="tick"><input type="checkbox" name="remove-password" value="1">${text.removePassword}</label></p>`}
${textArea({ name: 'text', label: text.ownText, hint: text.ownTextHint(MAX_SLIP_TEXT_LENGTH, MAX_SLIP_LINES), value: shown.text, error: issues.text })}`;
}

/** An empty password field keeps the stored password; an open Wi-Fi has no password. */
function read(
  { form, messages: { slip: text } }: AuthenticatedContext,
  stored: SiteSlip,
): { slip: SiteSlip; issues: Issues } {
  const wifiSecurity = form.get('wifi-security') === 'wpa' ? 'wpa' : 'open';
  const typed = form.get('wifi-password') ?? '';
  const kept = form.has('remove-password') ? null : stored.wifiPassword;
  const slip: SiteSlip = {
    wifiName: form.get('wifi-name') ?? '',
    wifiSecurity,
    wifiPassword: wifiSecurity === 'open' ? null : typed || kept,
    text: (form.get('text') ?? '').replaceAll('\r\n', '\n').trim(),
  };
  const { issues: said } = text;
  const name = issueOfWifiName(slip.wifiName);
  const password = typed === '' ? undefined : issueOfWifiPassword(typed);
  const own = issueOfSlipText(slip.text);
  return {
    slip,
    issues: {
      ...(name && {
        'wifi-name': name === 'invisible' ? said.invisible : said.nameTooLong(MAX_WIFI_NAME_BYTES),
      }),
      ...(typed !== '' && wifiSecurity === 'open' && { 'wifi-password': said.openWithPassword }),
      ...(wifiSecurity === 'wpa' &&
        password && {
          'wifi-password':
            password === 'invisible'
              ? said.invisible
              : said.password(MIN_WIFI_PASSWORD_LENGTH, MAX_WIFI_PASSWORD_LENGTH),
        }),
      ...(own && { text: sayTextIssue(own, said) }),
    },
  };
}

function sayTextIssue(issue: SlipIssue, said: AuthenticatedContext['messages']['slip']['issues']): string {
  if (issue === 'invisible') return said.invisible;
  return issue === 'too-long' ? said.textTooLong(MAX_SLIP_TEXT_LENGTH) : said.tooManyLines(MAX_SLIP_LINES);
}
