// The reserve on the page of a site: how many vouchers are ready, why it is not filling up, and the form to change it.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { note } from '../../../kernel/pages/message.ts';
import { isFor, type Profile } from '../../../kernel/profiles/profile.ts';
import { sayCause } from '../../../kernel/sites/pages/controller-errors.ts';
import type { SiteFormIssues } from '../../../kernel/sites/pages/site-forms.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { isFailing } from '../../../kernel/sites/site-sync.ts';
import { sayAllowance } from '../../../kernel/vouchers/texts/allowance.ts';
import { DEFAULT_EXPIRE_MINUTES, DEFAULT_MAX_USES } from '../../../kernel/vouchers/voucher-order.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { selectField, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html, type Piece } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { ReserveState } from '../reserve.ts';
import { RESERVE_TEXTS } from '../reserve-texts.ts';
import { canBeMadeAhead } from '../set-reserve.ts';
import { MAX_RESERVE, SUGGESTED_RESERVE } from '../stock.ts';

/** The choice that stands for the default limits. */
export const STANDARD = 'standard';

const DEFAULT_LIMITS = {
  maxUses: DEFAULT_MAX_USES,
  expireMinutes: DEFAULT_EXPIRE_MINUTES,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

export async function reserveCard(
  context: AuthenticatedContext,
  site: Site,
  issues: SiteFormIssues,
): Promise<Html> {
  const { app, language } = context;
  const text = RESERVE_TEXTS[language];
  const reserve = await app.reserves.find(site.id);
  const profiles = await app.profiles.list();
  const isKept = reserve.wanted > 0 || reserve.ready > 0;
  return html`<section class="card" id="reserve-card"><h2>${text.title}</h2><p class="soft">${text.what}</p>
${isKept && factList(factsOf(context, reserve, profiles))}${await stateNote(context, site, { reserve, profiles })}
${reserveForm(context, { site, reserve, profiles, issues })}</section>`;
}

interface Shown {
  reserve: ReserveState;
  profiles: Profile[];
}

function factsOf(
  context: AuthenticatedContext,
  { wanted, ready, profileId, lastMadeAtMs }: ReserveState,
  profiles: Profile[],
): [string, Piece][] {
  const { language, timeZone } = context;
  const text = RESERVE_TEXTS[language];
  const profile = profiles.find(({ id }) => id === profileId);
  const name = profileId === null ? sayStandard(context) : profile?.name;
  return [
    [text.ready, text.readyOf(ready, wanted)],
    ...(name === undefined ? [] : [[text.profile, name] satisfies [string, Piece]]),
    ...(lastMadeAtMs === null
      ? []
      : [[text.lastMade, sayTime(lastMadeAtMs, { language, timeZone })] satisfies [string, Piece]]),
  ];
}

/** Says why the reserve is not full. */
async function stateNote(
  context: AuthenticatedContext,
  site: Site,
  { reserve: { wanted, ready, profileId }, profiles }: Shown,
): Promise<Html | false> {
  const { app, language } = context;
  const text = RESERVE_TEXTS[language];
  if (wanted === 0) return ready > 0 && note('info', text.leaving);
  if (profileId !== null && !profiles.some(({ id }) => id === profileId))
    return note('warning', text.profileGone);
  if (ready >= wanted) return false;
  if (!site.active) return note('info', text.inactive);
  const sync = (await app.syncs.list()).get(site.id);
  if (sync && isFailing(sync)) return note('warning', text.notFilling(sayCause(context, sync.cause)));
  const failure = await app.findLastFailure(site.id);
  if (failure?.action === 'voucher.not-created')
    return note('warning', text.notFilling(sayCause(context, failure.cause)));
  return note('info', text.filling);
}

function reserveForm(
  context: AuthenticatedContext,
  { site, reserve, profiles, issues }: Shown & { site: Site; issues: SiteFormIssues },
): Html {
  const { form, messages, language } = context;
  const { admin } = messages;
  const text = RESERVE_TEXTS[language];
  const usable = profiles.filter((profile) => isFor(profile, [site.id]) && canBeMadeAhead(profile));
  const isFirst = reserve.wanted === 0 && reserve.profileId === null;
  const suggested = isFirst ? usable[0]?.id : reserve.profileId;
  const choices = [
    { value: STANDARD, label: sayStandard(context) },
    ...usable.map((profile) => ({
      value: String(profile.id),
      label: `${profile.name} (${sayAllowance(profile, context)})`,
    })),
  ];
  return html`<form method="post" action="/sites/${site.id}/reserve" novalidate>${formToken(context)}
${textField({
  name: 'reserve',
  label: text.wanted,
  inputmode: 'numeric',
  maxlength: 4,
  value: form.get('reserve') ?? (isFirst ? SUGGESTED_RESERVE : reserve.wanted),
  hint: text.wantedHint(MAX_RESERVE),
  error: issues.reserve,
  required: true,
})}${selectField({
  name: 'reserve-profile',
  label: text.profile,
  value: form.get('reserve-profile') ?? suggested ?? STANDARD,
  hint: text.profileHint,
  error: issues['reserve-profile'],
  choices,
})}
<div class="actions"><button class="button" type="submit">${isFirst ? text.begin : admin.save}</button></div></form>`;
}

function sayStandard(context: AuthenticatedContext): string {
  return `${RESERVE_TEXTS[context.language].standard} (${sayAllowance(DEFAULT_LIMITS, context)})`;
}
