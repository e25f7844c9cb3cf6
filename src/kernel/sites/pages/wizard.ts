// The site wizard: URL, certificate confirmation, credentials, choice of controller sites, test vouchers. It adds new
// sites or changes the access of an existing one. Entered values are kept in hidden form fields. Credentials in them
// are encrypted.

import { fail, ok, type Result } from '../../../platform/values/result.ts';
import type { ControllerFailure } from '../../controllers/controller.ts';
import { asSiteId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { redirect } from '../../pages/layout.ts';
import { message } from '../../pages/message.ts';
import type { ControllerConnection } from '../controller-connection.ts';
import { findTwin } from '../save-site.ts';
import { errorMessage } from './controller-errors.ts';
import { readCredentials, readTrust } from './site-forms.ts';
import { certificatePage, credentialsPage, type SiteChoice, type WizardPurpose } from './wizard-steps.ts';

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
export function confirm(context: AuthenticatedContext, purpose: WizardPurpose): Response | Promise<Response> {
  const trust = readTrust(context);
  return trust && !context.form.has('back')
    ? credentialsPage(context, purpose, { trust })
    : purpose.again({});
}

/** Runs after step 3. Signs in to the controller and lists its sites. */
export async function choose(context: AuthenticatedContext, purpose: WizardPurpose): Promise<Response> {
  const trust = readTrust(context);
  if (!trust || context.form.has('back')) return purpose.again({});
  const { credentials, issues } = readCredentials(context, purpose.kind, purpose.kept);
  if (!credentials) return credentialsPage(context, purpose, { trust, issues });
  const connection = { url: purpose.url, credentials, trust };
  const sealed = context.app.sealedConnection.seal(connection, holder(context, purpose));
  const listed = await listSites(context, purpose, connection);
  return listed.ok
    ? purpose.choicePage({ held: { sealed }, choices: listed.value })
    : credentialsPage(context, purpose, { trust, failure: listed.problem, sealed });
}

/** Runs after step 4. */
export async function finish(context: AuthenticatedContext, purpose: WizardPurpose): Promise<Response> {
  const { app, form, messages } = context;
  if (form.has('back')) return purpose.again({});
  const sealed = form.get('sealed') ?? '';
  const connection = app.sealedConnection.open(sealed, holder(context, purpose));
  if (connection?.url !== purpose.url)
    return purpose.again({}, message('error', messages.admin.sites.tooLate));
  return store(context, purpose, { connection, held: { sealed } });
}

interface HeldConnection {
  connection: ControllerConnection;
  /** The hidden fields that keep the connection until the next step. */
  held: Record<string, string>;
}

/** Tests the access and saves it. With `anyway`, saves it without a test and as inactive. */
export async function store(
  context: AuthenticatedContext,
  purpose: WizardPurpose,
  { connection, held }: HeldConnection,
): Promise<Response> {
  const { form } = context;
  const saved = form.has('find')
    ? undefined
    : await purpose.save({ connection, untested: form.has('anyway') });
  if (saved?.ok) return redirect(context, saved.value.path, saved.value.notice);
  const listed = await listSites(context, purpose, connection);
  return purpose.choicePage({ held, choices: listed.ok ? listed.value : [], ...saved?.problem });
}

/** The sites of the controller. `twin` is our site that already uses the controller site, if there is one. */
export async function listSites(
  { app }: AuthenticatedContext,
  { kind, current }: Pick<WizardPurpose, 'kind' | 'current'>,
  connection: ControllerConnection,
): Promise<Result<SiteChoice[], ControllerFailure>> {
  const listed = await app.saveSite.listSites(kind.name, connection);
  if (!listed.ok) return listed;
  if (listed.value.length === 0) return fail(NO_SITES);
  const all = await app.sites.list();
  const id = current?.id ?? asSiteId(0);
  return ok(
    listed.value.map((site) => ({
      ...site,
      twin: findTwin({ id, connection, controllerSite: site.id }, all),
    })),
  );
}

function holder({ user, nowMs }: AuthenticatedContext, { kind }: WizardPurpose) {
  return { userId: user.id, kind: kind.name, nowMs };
}
