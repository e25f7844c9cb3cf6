// Saves the reserve of a site. The form is on the page of the site.

import type { Site } from '../../../domain/sites/site.ts';
import type { ReserveIssue } from '../../../domain/stock/set-reserve.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { redirect } from '../../ui/layout.ts';
import { STANDARD } from './reserve-card.ts';
import { showSite } from './sites.ts';
import { withSite } from './with-site.ts';

export const reserveRoutes: Route[] = [
  { method: 'POST', path: '/sites/:site/reserve', permission: 'admin', run: withSite(save) },
];

async function save(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { app, form, messages } = context;
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
    return showSite(context, site, { issues: { [field]: messages.reserve.issues[issue] } });
  }
}
