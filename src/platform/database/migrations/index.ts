// All migrations in order. A released migration is never changed.

import { firstTables } from './0001-first-tables.ts';
import { realControllers } from './0002-controller-access.ts';
import { usageSync } from './0003-usage-sync.ts';
import { severalInstances } from './0004-several-instances.ts';
import { webhooks } from './0005-webhooks.ts';
import { webInterface } from './0006-users-sessions-batches-profiles.ts';
import { paperAndSettings } from './0007-slips-images-second-factors.ts';
import { actors } from './0008-actors.ts';
import { restrictedKeys } from './0009-restricted-keys.ts';
import { invitations } from './0010-invitations-session-details.ts';
import { singleSignOn } from './0011-single-sign-on.ts';
import { bulkRevocations } from './0012-bulk-revocations.ts';
import { searchIndex } from './0013-search-index.ts';
import { webhookNamesEvents } from './0014-webhook-names-events.ts';
import { slipLanguages } from './0015-slip-languages.ts';
import { listChanges } from './0016-list-changes.ts';
import { requestsOfIntents } from './0017-requests-of-intents.ts';
import { instances } from './0018-instances.ts';
import { sessionChecks } from './0019-session-checks.ts';
import { slipSteps } from './0020-slip-steps.ts';
import { messages } from './0021-messages.ts';
import { auditDetails } from './0022-audit-details.ts';
import { lostVouchers } from './0023-lost-vouchers.ts';
import { failedOrders } from './0024-failed-orders.ts';
import { nights } from './0025-nights.ts';
import { guestPages } from './0026-guest-pages.ts';
import { slipThemes } from './0027-slip-themes.ts';
import { freedKeys } from './0028-freed-keys.ts';
import { labels } from './0029-labels.ts';
import { mail } from './0030-mail.ts';
import { printers } from './0031-printers.ts';
import { screens } from './0032-screens.ts';
import { resetLinks } from './0033-reset-links.ts';
import { rebookings } from './0034-rebookings.ts';
import { pauses } from './0035-pauses.ts';
import { batchesThatGoOn } from './0036-batches-that-go-on.ts';
import type { Migration } from './migration.ts';

export const migrations: Migration[] = [
  { version: 1, adds: 'the first tables', statements: firstTables },
  { version: 2, adds: 'access to controllers', statements: realControllers },
  { version: 3, adds: 'the usage of vouchers', statements: usageSync },
  { version: 4, adds: 'several instances', statements: severalInstances },
  { version: 5, adds: 'webhooks', statements: webhooks },
  { version: 6, adds: 'users, sessions, batches and profiles', statements: webInterface },
  { version: 7, adds: 'slips, images and second factors', statements: paperAndSettings },
  { version: 8, adds: 'actors in the audit log', statements: actors },
  { version: 9, adds: 'keys for certain sites', statements: restrictedKeys },
  { version: 10, adds: 'invitations and details of sessions', statements: invitations },
  { version: 11, adds: 'single sign-on', statements: singleSignOn },
  { version: 12, adds: 'revoking many vouchers', statements: bulkRevocations },
  { version: 13, adds: 'the search index', statements: searchIndex },
  { version: 14, adds: 'names and events of webhooks', statements: webhookNamesEvents },
  { version: 15, adds: 'languages of slips', statements: slipLanguages },
  { version: 16, adds: 'notes on changes of lists', statements: listChanges },
  { version: 17, adds: 'the requests of open intents', statements: requestsOfIntents },
  { version: 18, adds: 'the running instances', statements: instances },
  { version: 19, adds: 'checks of sessions at the identity provider', statements: sessionChecks },
  { version: 20, adds: 'the steps on slips in any language', statements: slipSteps },
  { version: 21, adds: 'one queue for all messages', statements: messages },
  { version: 22, adds: 'the details of audit entries', statements: auditDetails },
  { version: 23, adds: 'replacements of lost vouchers', statements: lostVouchers },
  { version: 24, adds: 'failed orders that are settled', statements: failedOrders },
  { version: 25, adds: 'vouchers that end at a fixed moment', statements: nights },
  { version: 26, adds: 'pages for guests', statements: guestPages },
  { version: 27, adds: 'themes of slips', statements: slipThemes },
  { version: 28, adds: 'the vouchers of Idempotency-Keys', statements: freedKeys },
  { version: 29, adds: 'references and notes of vouchers', statements: labels },
  { version: 30, adds: 'e-mail', statements: mail },
  { version: 31, adds: 'receipt printers', statements: printers },
  { version: 32, adds: 'screens, the stock and requests of guests', statements: screens },
  { version: 33, adds: 'several links for a forgotten password', statements: resetLinks },
  { version: 34, adds: 'vouchers that replace others', statements: rebookings },
  { version: 35, adds: 'the beginning of pauses', statements: pauses },
  { version: 36, adds: 'batches that go on by themselves', statements: batchesThatGoOn },
];
