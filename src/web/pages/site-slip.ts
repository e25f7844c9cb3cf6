// What stands on a site's slips: its Wi-Fi, a text of its own, and how that looks on paper. The Wi-Fi's
// password goes in and is not shown here again.

import { asVoucherId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import {
  faultOfSlipText,
  faultOfWifiName,
  faultOfWifiPassword,
  LONGEST_SLIP_TEXT,
  LONGEST_WIFI_NAME_BYTES,
  LONGEST_WIFI_PASSWORD,
  MOST_SLIP_LINES,
  SHORTEST_WIFI_PASSWORD,
  type SiteSlip,
  type SlipFault,
  type SlipStore,
} from '../../domain/sites/slip.ts';
import type { Answer } from '../../http/exchange.ts';
import type { WifiFact } from '../../print/printed-slip.ts';
import { selectField, textArea, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import { logoForm, siteLogoSrc } from '../logo-form.ts';
import { prepareSlips, type SlipNeeds } from '../print.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { paperOf } from './print-parts.ts';
import { goodNote } from './sites-trouble.ts';

type WithSite = (visit: UserVisit, run: (site: Site) => Answer | Promise<Answer>) => Promise<Answer>;
type Faults = Partial<Record<'wifi-name' | 'wifi-password' | 'text', string>>;

interface Needs extends SlipNeeds {
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

export function makeSiteSlipPages(needs: Needs): Route[] {
  const { slips, withSite } = needs;
  const path = '/sites/:site/slip';
  return [
    {
      method: 'GET',
      path,
      access: 'admin',
      run: (visit) =>
        withSite(visit, async (site) => show(visit, site, { shown: await slips.find(site.id), faults: {} })),
    },
    {
      method: 'POST',
      path,
      access: 'admin',
      run: (visit) => withSite(visit, (site) => save(visit, site)),
    },
  ];

  async function save(visit: UserVisit, site: Site): Promise<Answer> {
    const { slip, faults } = read(visit, await slips.find(site.id));
    if (Object.keys(faults).length > 0) return show(visit, site, { shown: slip, faults });
    await slips.save(site.id, slip, auditOf(visit));
    return redirect(`/sites/${site.id}/slip?said=saved`);
  }

  async function show(
    visit: UserVisit,
    site: Site,
    { shown, faults }: { shown: SiteSlip; faults: Faults },
  ): Promise<Answer> {
    const { slip: text } = visit.words;
    const stored = await slips.find(site.id);
    const logo = await needs.images.find(`site-${site.id}`);
    return answerPage(visit, {
      title: text.of(site.name),
      status: Object.keys(faults).length > 0 ? 422 : 200,
      content: html`<h1>${text.of(site.name)}</h1>${visit.query.get('said') === 'saved' && goodNote(text.saved)}<p>${text.intro}</p>
<section class="card"><form method="post" action="/sites/${site.id}/slip" novalidate>${formToken(visit)}
${fields(visit, { shown, faults, hasPassword: stored.wifiPassword !== null })}
<div class="actions"><button class="button primary" type="submit">${text.save}</button><a class="button" href="/sites/${site.id}">${text.back}</a></div></form></section>
<section class="card"><h2>${visit.words.logo.title}</h2>${logoForm(visit, { action: `/sites/${site.id}/logo`, src: siteLogoSrc(site.id, logo) })}</section>
<section class="card"><h2>${text.preview}</h2>${stored.wifiPassword !== null && html`<p class="soft">${text.previewHint}</p>`}${await preview(visit, site)}</section>`,
    });
  }

  async function preview(visit: UserVisit, { id, name }: Site): Promise<Html> {
    const sample = { ...PREVIEW, siteId: id, siteName: name, name: visit.words.slip.previewName };
    const { logos, slips: drawn } = await prepareSlips(visit, [sample], needs);
    const covered = drawn.map((slip) => ({ ...slip, wifi: slip.wifi.map(cover) }));
    return paperOf({ logos, slips: covered }, 'a4');
  }
}

function cover(fact: WifiFact): WifiFact {
  return fact.isPassword ? { ...fact, value: COVERED } : fact;
}

function fields(
  { words: { slip: text } }: UserVisit,
  { shown, faults, hasPassword }: { shown: SiteSlip; faults: Faults; hasPassword: boolean },
): Html {
  return html`${textField({ name: 'wifi-name', label: text.wifiName, hint: text.wifiNameHint, value: shown.wifiName, error: faults['wifi-name'] })}
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
  error: faults['wifi-password'],
  autocomplete: 'new-password',
})}
${hasPassword && html`<p><label class="tick"><input type="checkbox" name="remove-password" value="1">${text.removePassword}</label></p>`}
${textArea({ name: 'text', label: text.ownText, hint: text.ownTextHint(LONGEST_SLIP_TEXT, MOST_SLIP_LINES), value: shown.text, error: faults.text })}`;
}

/** A password that is left out stays; who says that the Wi-Fi is open has none. */
function read(
  { form, words: { slip: text } }: UserVisit,
  stored: SiteSlip,
): { slip: SiteSlip; faults: Faults } {
  const wifiSecurity = form.get('wifi-security') === 'wpa' ? 'wpa' : 'open';
  const typed = form.get('wifi-password') ?? '';
  const kept = form.has('remove-password') ? null : stored.wifiPassword;
  const slip: SiteSlip = {
    wifiName: form.get('wifi-name') ?? '',
    wifiSecurity,
    wifiPassword: wifiSecurity === 'open' ? null : typed || kept,
    text: (form.get('text') ?? '').replaceAll('\r\n', '\n').trim(),
  };
  const { faults: said } = text;
  const name = faultOfWifiName(slip.wifiName);
  const password = wifiSecurity === 'wpa' && typed !== '' ? faultOfWifiPassword(typed) : undefined;
  const own = faultOfSlipText(slip.text);
  return {
    slip,
    faults: {
      ...(name && {
        'wifi-name': name === 'invisible' ? said.invisible : said.nameTooLong(LONGEST_WIFI_NAME_BYTES),
      }),
      ...(password && {
        'wifi-password':
          password === 'invisible'
            ? said.invisible
            : said.password(SHORTEST_WIFI_PASSWORD, LONGEST_WIFI_PASSWORD),
      }),
      ...(own && { text: sayTextFault(own, said) }),
    },
  };
}

function sayTextFault(fault: SlipFault, said: UserVisit['words']['slip']['faults']): string {
  if (fault === 'invisible') return said.invisible;
  return fault === 'too-long' ? said.textTooLong(LONGEST_SLIP_TEXT) : said.tooManyLines(MOST_SLIP_LINES);
}
