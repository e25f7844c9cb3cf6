// The site wizard: URL, certificate confirmation, credentials, choice of a controller site, test voucher. It adds a
// new site or changes the access of an existing one. Entered values are carried in hidden form fields; credentials are
// sealed.

import type { ControllerFailure, ControllerSite } from '../../../domain/controller.ts';
import type { ControllerKind } from '../../../domain/controller-kind.ts';
import { asSiteId } from '../../../domain/ids.ts';
import type { Result } from '../../../domain/result.ts';
import type { ControllerAccess } from '../../../domain/sites/controller-access.ts';
import { findTwin, type SaveSite } from '../../../domain/sites/save-site.ts';
import type { SealedAccess } from '../../../domain/sites/sealed-access.ts';
import type { SiteStore } from '../../../domain/sites/site.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { redirect } from '../../ui/layout.ts';
import { message } from '../../ui/message.ts';
import { errorMessage, saveMessage } from './controller-errors.ts';
import { readControllerSite, readCredentials, readTrust } from './site-forms.ts';
import { certificatePage, credentialsPage, sitePage, type WizardPurpose } from './wizard-steps.ts';

type ProbeCertificate = (
  url: string,
) => Promise<Result<{ fingerprint256: string; vouchedFor: boolean }, ControllerFailure>>;

export interface WizardDeps {
  probeCertificate: ProbeCertificate;
  saveSite: SaveSite;
  sealedAccess: SealedAccess;
  sites: Pick<SiteStore, 'list'>;
  /** All kinds of controller, in the order in which they are offered. */
  kinds: readonly ControllerKind[];
}

const NO_SITES: ControllerFailure = {
  kind: 'refused',
  cause: 'role',
  text: 'the controller shows this account no site',
};

export function makeSiteWizard({ probeCertificate, saveSite, sealedAccess, sites }: WizardDeps) {
  return { probe, confirm, choose, finish };

  /** After step 1: reads the controller's certificate. No credentials and no HTTP request are sent. */
  async function probe(context: AuthenticatedContext, purpose: WizardPurpose): Promise<Response> {
    const { sites: text } = context.messages.admin;
    const probed = await probeCertificate(purpose.url);
    if (!probed.ok) return purpose.again({}, errorMessage(context, text.unreachable, probed.problem));
    const { vouchedFor, fingerprint256 } = probed.value;
    return vouchedFor
      ? credentialsPage(context, purpose, { trust: { kind: 'ca' } })
      : certificatePage(context, purpose, fingerprint256);
  }

  /** After step 2: the user has confirmed the fingerprint. */
  function confirm(context: AuthenticatedContext, purpose: WizardPurpose): Response {
    const trust = readTrust(context);
    return trust && !context.form.has('back')
      ? credentialsPage(context, purpose, { trust })
      : purpose.again({});
  }

  /** After step 3: signs in to the controller and lists its sites. */
  async function choose(context: AuthenticatedContext, purpose: WizardPurpose): Promise<Response> {
    const trust = readTrust(context);
    if (!trust || context.form.has('back')) return purpose.again({});
    const { credentials, issues } = readCredentials(context, purpose.kind, purpose.kept);
    if (!credentials) return credentialsPage(context, purpose, { trust, issues });
    const access = { url: purpose.url, credentials, trust };
    const sealed = sealedAccess.seal(access, holder(context, purpose));
    const listed = await saveSite.listSites(purpose.kind.name, access);
    if (!listed.ok) return credentialsPage(context, purpose, { trust, failure: listed.problem, sealed });
    if (listed.value.length === 0)
      return credentialsPage(context, purpose, { trust, failure: NO_SITES, sealed });
    const choices = await withTwins(purpose, access, listed.value);
    return sitePage(context, purpose, { sealed, choices, chosen: purpose.current?.controllerSite });
  }

  /** After step 4: tests the access and saves it. With `anyway` it is saved untested, and the site is inactive. */
  async function finish(context: AuthenticatedContext, purpose: WizardPurpose): Promise<Response> {
    const { form, messages } = context;
    if (form.has('back')) return purpose.again({});
    const sealed = form.get('sealed') ?? '';
    const access = sealedAccess.open(sealed, holder(context, purpose));
    if (access?.url !== purpose.url) return purpose.again({}, message('error', messages.admin.sites.tooLate));
    const { controllerSite, issue } = readControllerSite(context);
    const saved = issue
      ? undefined
      : await purpose.save({ access, controllerSite, untested: form.has('anyway') });
    if (saved?.ok) return redirect(context, saved.value.path, saved.value.notice);
    const listed = await saveSite.listSites(purpose.kind.name, access);
    return sitePage(context, purpose, {
      sealed,
      choices: listed.ok ? await withTwins(purpose, access, listed.value) : [],
      chosen: controllerSite,
      issue,
      message: saved && saveMessage(context, saved.problem),
      mayStoreAnyway: saved?.problem.kind === 'test-failed',
    });
  }

  /** Adds to each controller site the name of the site that already uses it, if there is one. */
  async function withTwins({ current }: WizardPurpose, access: ControllerAccess, listed: ControllerSite[]) {
    const all = await sites.list();
    const id = current?.id ?? asSiteId(0);
    return listed.map((site) => ({
      ...site,
      twin: findTwin({ id, access, controllerSite: site.id }, all)?.name,
    }));
  }
}

function holder({ user, nowMs }: AuthenticatedContext, { kind }: WizardPurpose) {
  return { userId: user.id, kind: kind.name, nowMs };
}
