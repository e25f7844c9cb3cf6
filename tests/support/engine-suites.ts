// Lists the tests that also run on PostgreSQL, the everyday tests that have more cases in the long tier, and the tests
// that run in parallel with all others because they leave the processor to them.

/** Every test runs on SQLite. Tests directly in these folders depend on SQL and also run on PostgreSQL. */
export const foldersOnBothEngines = [
  'tests/api/get-vouchers',
  'tests/api/keys',
  'tests/api/post-vouchers',
  'tests/api/rate-limit',
  'tests/api/v1',
  'tests/cli/both-engines',
  'tests/faults',
  'tests/long/backup',
  'tests/long/full-disk',
  'tests/long/kills',
  'tests/long/mail',
  'tests/long/printers',
  'tests/long/sync',
  'tests/long/upgrades',
  'tests/long/webhooks',
  'tests/long/wrong-clock',
  'tests/printers/polling',
  'tests/printers/queue',
  'tests/rolling',
  'tests/stock',
  'tests/unifi/sync',
  'tests/web/both-engines',
  'tests/webhooks/delivery',
];

/** What these tests examine depends little on SQL. On PostgreSQL they run only in the long tier. */
export const suitesRarelyOnPostgres = [
  'tests/api/post-vouchers/201-order-read.test.ts',
  'tests/faults/rude-callers.test.ts',
  'tests/printers/polling/refusals.test.ts',
  'tests/rolling/paths.test.ts',
  'tests/rolling/pictures.test.ts',
  'tests/unifi/sync/sync-beside-requests.test.ts',
  'tests/unifi/sync/sync-of-bad-lists.test.ts',
  'tests/unifi/sync/sync-under-way.test.ts',
  'tests/web/both-engines/ended-session.test.ts',
  'tests/web/both-engines/failed-orders.test.ts',
  'tests/web/both-engines/guest-page.test.ts',
  'tests/web/both-engines/invitations.test.ts',
  'tests/web/both-engines/kiosk-requests.test.ts',
  'tests/web/both-engines/kiosk.test.ts',
  'tests/web/both-engines/login.test.ts',
  'tests/web/both-engines/reserve-settings.test.ts',
  'tests/web/both-engines/screens.test.ts',
  'tests/web/both-engines/session-checks.test.ts',
  'tests/web/both-engines/several-sites.test.ts',
  'tests/web/both-engines/single-sign-on.test.ts',
  'tests/webhooks/delivery/delivery-failures.test.ts',
];

/** Everyday tests that the long tier runs again, with more cases (see more-cases.ts) or on both engines. */
export const suitesWithMoreCases = [
  ...suitesRarelyOnPostgres,
  'tests/api/bad-input/generated-bodies.test.ts',
  'tests/controllers/hostile-lists.test.ts',
  'tests/api/v1/rebooking.test.ts',
  'tests/faults/batches-go-on.test.ts',
  'tests/faults/simulated/simulated-schedules.test.ts',
  'tests/storage/creation-at-once.test.ts',
  'tests/unifi/replaced-console.test.ts',
  'tests/unifi/revocation.test.ts',
  'tests/unifi/sync/foreign-vouchers.test.ts',
  'tests/unifi/sync/usage-sync.test.ts',
  'tests/unifi/through-the-service.test.ts',
  'tests/web/authorisation-forms.test.ts',
];

/**
 * These tests wait for time-outs, leases and consoles that never respond. The processor is idle meanwhile. The fuzzing
 * runs at a low priority.
 */
export const suitesThatWait = [
  'tests/long/console-fuzz/unifi-classic.test.ts',
  'tests/long/console-fuzz/unifi.test.ts',
  'tests/long/full-disk/full-disk.test.ts',
  'tests/long/instances/database-away.test.ts',
  'tests/long/instances/leases.test.ts',
  'tests/long/instances/delivery.test.ts',
  'tests/long/instances/incidents.test.ts',
  'tests/long/kills/orders-in-flight.test.ts',
  'tests/long/unifi/one-slow-controller.test.ts',
];
