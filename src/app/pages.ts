// Wires the pages of the web interface.

import { makeSaveSite } from '../domain/sites/save-site.ts';
import { makeMakeFirstAdmin } from '../domain/users/first-admin.ts';
import { makePasswordCheck } from '../domain/users/password-check.ts';
import { makeSignIn } from '../domain/users/sign-in.ts';
import type { User } from '../domain/users/user.ts';
import type { CreateVoucher } from '../domain/vouchers/create-voucher.ts';
import { makeMakeBatch } from '../domain/vouchers/make-batch.ts';
import { makeRevokeVoucher } from '../domain/vouchers/revoke-voucher.ts';
import { answerFor } from '../http/answer-problem.ts';
import type { AppLog } from '../observe/log.ts';
import { makeAnswerVisit } from '../web/answer-visits.ts';
import { makeAccountPages } from '../web/pages/account.ts';
import { makeAuditPages } from '../web/pages/audit.ts';
import { makeBatchPages } from '../web/pages/batch.ts';
import { makeDeliveryPages } from '../web/pages/deliveries.ts';
import { makeExportPages } from '../web/pages/export.ts';
import { makeKeyPages } from '../web/pages/keys.ts';
import { makeNewVoucherPages } from '../web/pages/new-voucher.ts';
import { makeOverviewPages } from '../web/pages/overview.ts';
import { makePeoplePages } from '../web/pages/people.ts';
import { makeProfilePages } from '../web/pages/profiles.ts';
import { makeRevokePages } from '../web/pages/revoke.ts';
import { makeSetupPages } from '../web/pages/setup.ts';
import { makeSignInPages } from '../web/pages/sign-in.ts';
import { makeSitePages } from '../web/pages/sites.ts';
import { makeVoucherPages } from '../web/pages/vouchers.ts';
import { makeWebhookPages } from '../web/pages/webhooks.ts';
import { makeCourier } from './courier.ts';
import { type Installation, meetController } from './installation.ts';
import { makeUpkeep } from './upkeep.ts';

interface Parts {
  createVoucher: CreateVoucher;
  basePath: string;
  timeZone: string;
  log: AppLog;
  /** Ends when the service stops. */
  stopping: AbortSignal;
  /** Work that goes on after its page was answered; the service waits for it when it stops. */
  underWay: Set<Promise<unknown>>;
}

export function makeRoutes(
  installation: Installation,
  { createVoucher, basePath, log, stopping, underWay }: Omit<Parts, 'timeZone'>,
) {
  const { users, sites, syncs } = installation;
  const checkPassword = makePasswordCheck();
  const needs = {
    ...installation,
    ...makeCourier(installation, { log }),
    checkPassword,
    basePath,
    signIn: makeSignIn({ ...installation, people: users, checkPassword }),
    makeBatch: makeMakeBatch({
      ...installation,
      createVoucher,
      stopping,
      describe: (problem) => answerFor(problem).message ?? problem.kind,
    }),
    makeFirstAdmin: makeMakeFirstAdmin(installation),
    revokeVoucher: makeRevokeVoucher(installation),
    listSyncs: syncs.list,
    saveSite: makeSaveSite(installation),
    syncSite: makeUpkeep(installation, { log }).syncSite,
    meetController,
    stopping,
    goOn(work: Promise<unknown>) {
      const ended = work
        .catch((error) => log.error({ err: error }, 'work that went on after its page broke off'))
        .finally(() => underWay.delete(ended));
      underWay.add(ended);
      return ended;
    },
    /** Administrators see all, operators what was given to them. */
    async sitesFor({ id, role }: User) {
      const active = await sites.listActive();
      if (role === 'admin') return active;
      const own = new Set(await users.siteIdsOf(id));
      return active.filter((site) => own.has(site.id));
    },
  };
  return [
    ...makeSetupPages(needs),
    ...makeSignInPages(needs),
    ...makeNewVoucherPages(needs),
    ...makeBatchPages(needs),
    ...makeVoucherPages(needs),
    ...makeRevokePages(needs),
    ...makeExportPages(needs),
    ...makeProfilePages(needs),
    ...makeOverviewPages(needs),
    ...makeAccountPages(needs),
    ...makeSitePages(needs),
    ...makeKeyPages(needs),
    ...makePeoplePages(needs),
    ...makeWebhookPages(needs),
    ...makeDeliveryPages(needs),
    ...makeAuditPages(needs),
  ];
}

export function makePages(installation: Installation, { timeZone, ...parts }: Parts) {
  const routes = makeRoutes(installation, parts);
  return makeAnswerVisit({ ...installation, routes, timeZone, log: parts.log });
}
