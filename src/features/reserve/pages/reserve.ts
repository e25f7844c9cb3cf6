// Saves the reserve of a site. The form is on the page of the site.

import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { redirect } from '../../../kernel/pages/layout.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { showSite } from '../../../kernel/sites/pages/sites.ts';
import { withSite } from '../../../kernel/sites/pages/with-site.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { RESERVE_TEXTS } from '../reserve-texts.ts';
import type { ReserveIssue } from '../set-reserve.ts';
import { STANDARD } from './reserve-card.ts';

export const reserveRoutes: Route[] = [
  { method: 'POST', path: '/sites/:site/reserve', permission: 'admin', run: withSite(save) },
];

async function save(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { app, form, language } = context;
  const typed = (form.get('reserve') ?? '').trim();
  const chosen = form.get('reserve-profile') ?? STANDARD;
  const profile = (await app.profiles.list()).find(({ id }) => String(id) === chosen);
  const wanted = /^\d{1,4}$/.test(typed) ? Number(typed) : -1;
  // A profile that was removed in the meantime must not become the default limits.
  if (chosen !== STANDARD && !profile && wanted > 0) return refuse('profile-not-found');
  const reserve = { wanted, profileId: profile?.id ?? null };
  const saved = await app.setReserve(site, reserve, auditContextOf(context));
  return saved.ok ? redirect(context, `/sites/${site.id}`, 'reserveSaved') : refuse(saved.problem);

  function refuse(issue: ReserveIssue): Promise<Response> {
    const field = issue === 'wanted-out-of-range' ? 'reserve' : 'reserve-profile';
    return showSite(context, site, { issues: { [field]: RESERVE_TEXTS[language].issues[issue] } });
  }
}
