// Activates a site that was taken over from another tool. If the controller's certificate is not signed by a trusted
// authority, the user must confirm it. Then a test voucher is created and the site is activated.

import { type AuthenticatedContext, auditContextOf } from '../../kernel/pages/context.ts';
import { redirect } from '../../kernel/pages/layout.ts';
import { message as messageOf } from '../../kernel/pages/message.ts';
import type { Route } from '../../kernel/pages/route.ts';
import { lacksPassword, type TlsTrust } from '../../kernel/sites/controller-connection.ts';
import { errorMessage, saveMessage } from '../../kernel/sites/pages/controller-errors.ts';
import { readTrust } from '../../kernel/sites/pages/site-forms.ts';
import { showSite } from '../../kernel/sites/pages/sites.ts';
import { withSite } from '../../kernel/sites/pages/with-site.ts';
import { certificatePage } from '../../kernel/sites/pages/wizard-steps.ts';
import { isUnconfirmed, type Site } from '../../kernel/sites/site.ts';

type Connection = NonNullable<Site['connection']>;

const path = '/sites/:site/confirm';

export const movedInRoutes: Route[] = [
  { method: 'POST', path, permission: 'admin', run: withMovedIn(probe) },
  { method: 'POST', path: `${path}/certificate`, permission: 'admin', run: withMovedIn(confirm) },
];

type Step = (
  context: AuthenticatedContext,
  site: Site,
  connection: Connection,
) => Response | Promise<Response>;

/** Runs the step only for an unconfirmed site whose password is stored. Otherwise opens the page of the site. */
function withMovedIn(run: Step): (context: AuthenticatedContext) => Promise<Response> {
  return withSite((context, site) =>
    site.connection && isUnconfirmed(site) && !lacksPassword(site.connection)
      ? run(context, site, site.connection)
      : redirect(context, `/sites/${site.id}`),
  );
}

async function probe(context: AuthenticatedContext, site: Site, connection: Connection): Promise<Response> {
  const { probeCertificate } = context.app;
  const { sites: text } = context.messages.admin;
  const probed = await probeCertificate(connection.url);
  if (!probed.ok)
    return showSite(context, site, {
      status: 422,
      message: errorMessage(context, text.unreachable, probed.problem),
    });
  const { vouchedFor, fingerprint256 } = probed.value;
  if (vouchedFor) return activate(context, site, { ...connection, trust: { kind: 'ca' } });
  return certificatePage(
    context,
    {
      title: text.connectionOf(site.name),
      path: `/sites/${site.id}/confirm`,
      cancel: `/sites/${site.id}`,
      url: connection.url,
      carried: {},
      current: site,
    },
    fingerprint256,
  );
}

function confirm(
  context: AuthenticatedContext,
  site: Site,
  connection: Connection,
): Response | Promise<Response> {
  const trust: TlsTrust | undefined = context.form.has('back') ? undefined : readTrust(context);
  return trust?.kind === 'pinned'
    ? activate(context, site, { ...connection, trust })
    : redirect(context, `/sites/${site.id}`);
}

async function activate(
  context: AuthenticatedContext,
  site: Site,
  connection: Connection,
): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const saved = await context.app.saveSite.change(
    site,
    { connection, active: true },
    auditContextOf(context),
  );
  return saved.ok
    ? showSite(
        context,
        { ...site, connection, active: true },
        { message: messageOf('success', text.activated) },
      )
    : showSite(context, site, { status: 422, message: saveMessage(context, saved.problem) });
}
