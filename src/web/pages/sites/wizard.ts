// The site wizard: URL, certificate confirmation, credentials, choice of a controller site, test voucher. It adds a
// new site or changes the access of an existing one. Entered values are kept in hidden form fields. Credentials in them
// are encrypted.

import type { ControllerFailure, ControllerSite } from '../../../domain/controller.ts';
import { asSiteId } from '../../../domain/ids.ts';
import type { ControllerConnection } from '../../../domain/sites/controller-connection.ts';
import { findTwin } from '../../../domain/sites/save-site.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { redirect } from '../../ui/layout.ts';
import { message } from '../../ui/message.ts';
import { errorMessage, saveMessage } from './controller-errors.ts';
import { readControllerSite, readCredentials, readTrust } from './site-forms.ts';
import { certificatePage, credentialsPage, sitePage, type WizardPurpose } from './wizard-steps.ts';

const NO_SITES: ControllerFailure = {
  kind: 'refused',
  cause: 'role',
  text: 'the controller shows this account no site',
};

/** Runs after step 1. Reads the controller's certificate without sending credentials or an HTTP request. */
export async function probe(context: AuthenticatedContext, purpose: WizardPurpose): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const probed = await context.app.probeCertificate(purpose.url);
  if (!probed.ok) return purpose.again({}, errorMessage(context, text.unreachable, probed.problem));
  const { vouchedFor, fingerprint256 } = probed.value;
  return vouchedFor
    ? credentialsPage(context, purpose, { trust: { kind: 'ca' } })
    : certificatePage(context, purpose, fingerprint256);
}

/** Runs after step 2, in which the user has confirmed the fingerprint. */
export function confirm(context: AuthenticatedContext, purpose: WizardPurpose): Response {
  const trust = readTrust(context);
  return trust && !context.form.has('back')
    ? credentialsPage(context, purpose, { trust })
    : purpose.again({});
}

/** Runs after step 3. Signs in to the controller and lists its sites. */
export async function choose(context: AuthenticatedContext, purpose: WizardPurpose): Promise<Response> {
  const { sealedConnection, saveSite } = context.app;
  const trust = readTrust(context);
  if (!trust || context.form.has('back')) return purpose.again({});
  const { credentials, issues } = readCredentials(context, purpose.kind, purpose.kept);
  if (!credentials) return credentialsPage(context, purpose, { trust, issues });
  const connection = { url: purpose.url, credentials, trust };
  const sealed = sealedConnection.seal(connection, holder(context, purpose));
  const listed = await saveSite.listSites(purpose.kind.name, connection);
  if (!listed.ok) return credentialsPage(context, purpose, { trust, failure: listed.problem, sealed });
  if (listed.value.length === 0)
    return credentialsPage(context, purpose, { trust, failure: NO_SITES, sealed });
  const choices = await withTwins(context, purpose, { connection, listed: listed.value });
  return sitePage(context, purpose, { sealed, choices, chosen: purpose.current?.controllerSite });
}

/** Runs after step 4. Tests the access and saves it. With `anyway`, saves it without a test and as inactive. */
export async function finish(context: AuthenticatedContext, purpose: WizardPurpose): Promise<Response> {
  const { app, form, messages } = context;
  if (form.has('back')) return purpose.again({});
  const sealed = form.get('sealed') ?? '';
  const connection = app.sealedConnection.open(sealed, holder(context, purpose));
  if (connection?.url !== purpose.url)
    return purpose.again({}, message('error', messages.admin.sites.tooLate));
  const { controllerSite, issue } = readControllerSite(context);
  const saved = issue
    ? undefined
    : await purpose.save({ connection, controllerSite, untested: form.has('anyway') });
  if (saved?.ok) return redirect(context, saved.value.path, saved.value.notice);
  const listed = await app.saveSite.listSites(purpose.kind.name, connection);
  return sitePage(context, purpose, {
    sealed,
    choices: listed.ok ? await withTwins(context, purpose, { connection, listed: listed.value }) : [],
    chosen: controllerSite,
    issue,
    message: saved && saveMessage(context, saved.problem),
    mayStoreAnyway: saved?.problem.kind === 'test-failed',
  });
}

/** Adds to each controller site the name of our site that already uses it, if there is one. */
async function withTwins(
  { app }: AuthenticatedContext,
  { current }: WizardPurpose,
  { connection, listed }: { connection: ControllerConnection; listed: ControllerSite[] },
) {
  const all = await app.sites.list();
  const id = current?.id ?? asSiteId(0);
  return listed.map((site) => ({
    ...site,
    twin: findTwin({ id, connection, controllerSite: site.id }, all)?.name,
  }));
}

function holder({ user, nowMs }: AuthenticatedContext, { kind }: WizardPurpose) {
  return { userId: user.id, kind: kind.name, nowMs };
}
