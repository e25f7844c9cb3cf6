// The guided way to a controller: address, certificate to be confirmed, credentials, site of the controller's own
// list, a test voucher. It sets up a new site or points an old one elsewhere. What was entered travels in the
// forms; credentials do so sealed.

import type { ControllerFailure, ControllerSite } from '../../domain/controller.ts';
import { asSiteId } from '../../domain/ids.ts';
import type { Result } from '../../domain/result.ts';
import type { ControllerAccess } from '../../domain/sites/controller-access.ts';
import { findTwin, type SaveSite } from '../../domain/sites/save-site.ts';
import type { SealedAccess } from '../../domain/sites/sealed-access.ts';
import type { SiteStore } from '../../domain/sites/site.ts';
import type { Answer } from '../../http/exchange.ts';
import { redirect } from '../layout.ts';
import type { UserVisit } from '../visit.ts';
import type { Errand } from './sites-errand.ts';
import { readControllerSite, readCredentials, readTrust } from './sites-forms.ts';
import { certificatePage, credentialsPage, sitePage } from './sites-steps.ts';
import { badNote, saveNote, troubleNote } from './sites-trouble.ts';

export type MeetController = (
  url: string,
) => Promise<Result<{ fingerprint256: string; vouchedFor: boolean }, ControllerFailure>>;

export interface GuideNeeds {
  meetController: MeetController;
  saveSite: SaveSite;
  sealedAccess: SealedAccess;
  sites: Pick<SiteStore, 'list'>;
}

const NO_SITES: ControllerFailure = {
  kind: 'refused',
  cause: 'role',
  text: 'the controller shows this account no site',
};

export function makeGuide({ meetController, saveSite, sealedAccess, sites }: GuideNeeds) {
  return { meet, confirm, choose, finish };

  /** After the first step: who answers there? Nothing is sent to it. */
  async function meet(visit: UserVisit, errand: Errand): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    const met = await meetController(errand.url);
    if (!met.ok) return errand.again({}, troubleNote(visit, text.unreachable, met.problem));
    const { vouchedFor, fingerprint256 } = met.value;
    return vouchedFor
      ? credentialsPage(visit, errand, { trust: { kind: 'ca' } })
      : certificatePage(visit, errand, fingerprint256);
  }

  /** After the second: the fingerprint was found right. */
  function confirm(visit: UserVisit, errand: Errand): Answer {
    const trust = readTrust(visit);
    return trust && !visit.form.has('back') ? credentialsPage(visit, errand, { trust }) : errand.again({});
  }

  /** After the third: signs in, and asks what there is to choose from. */
  async function choose(visit: UserVisit, errand: Errand): Promise<Answer> {
    const trust = readTrust(visit);
    if (!trust || visit.form.has('back')) return errand.again({});
    const { credentials, faults } = readCredentials(visit, errand.kind, errand.kept);
    if (!credentials) return credentialsPage(visit, errand, { trust, faults });
    const access = { url: errand.url, credentials, trust };
    const sealed = sealedAccess.seal(access, holder(visit, errand));
    const listed = await saveSite.listSites(errand.kind, access);
    if (!listed.ok) return credentialsPage(visit, errand, { trust, failure: listed.problem, sealed });
    if (listed.value.length === 0)
      return credentialsPage(visit, errand, { trust, failure: NO_SITES, sealed });
    const choices = await withTwins(errand, access, listed.value);
    return sitePage(visit, errand, { sealed, choices, chosen: errand.current?.controllerSite });
  }

  /** After the last: tests, and saves what works. */
  async function finish(visit: UserVisit, errand: Errand): Promise<Answer> {
    const { form, words } = visit;
    if (form.has('back')) return errand.again({});
    const sealed = form.get('sealed') ?? '';
    const access = sealedAccess.open(sealed, holder(visit, errand));
    if (access?.url !== errand.url) return errand.again({}, badNote(words.admin.sites.tooLate));
    const { controllerSite, fault } = readControllerSite(visit);
    const saved = fault
      ? undefined
      : await errand.save({ access, controllerSite, untested: form.has('anyway') });
    if (saved?.ok) return redirect(saved.value);
    const listed = await saveSite.listSites(errand.kind, access);
    return sitePage(visit, errand, {
      sealed,
      choices: listed.ok ? await withTwins(errand, access, listed.value) : [],
      chosen: controllerSite,
      fault,
      note: saved && saveNote(visit, saved.problem),
      mayStoreAnyway: saved?.problem.kind === 'test-failed',
    });
  }

  /** Which of them have a site already. */
  async function withTwins({ current }: Errand, access: ControllerAccess, listed: ControllerSite[]) {
    const all = await sites.list();
    const id = current?.id ?? asSiteId(0);
    return listed.map((site) => ({
      ...site,
      twin: findTwin({ id, access, controllerSite: site.id }, all)?.name,
    }));
  }
}

function holder({ user, nowMs }: UserVisit, { kind }: Errand) {
  return { userId: user.id, kind, nowMs };
}
