// Tests what the first start of an installation creates and reports, and what later starts leave unchanged.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { asSiteId } from '../ids.ts';
import { hashKeyText, keyIdOf } from '../keys/api-key.ts';
import { isPassword } from '../users/password.ts';
import { type InstallationState, makeSetup, type SetupInput, type SetupPlan } from './setup.ts';

const NEW: InstallationState = { isSetupDone: false, users: 0, sites: 0, keys: 0 };
const admin = { email: 'ada@example.org', password: 'ein langes Passwort' };
const NOW_MS = 1_768_476_531_000;

let plans: SetupPlan[];
beforeEach(() => {
  plans = [];
});

function setup(state: Partial<InstallationState>, input: SetupInput) {
  const installation = {
    state: async () => ({ ...NEW, ...state }),
    async setup(plan: SetupPlan) {
      plans.push(plan);
      return plan.site ? { siteId: asSiteId(1) } : {};
    },
  };
  return makeSetup({ installation, clock: { nowMs: () => NOW_MS } })(input);
}

test('a new demo gets an administrator, a site and a write key in one plan, and reports them', async () => {
  const report = await setup({}, { demo: true, admin: undefined });
  const [plan, ...more] = plans;
  assert.deepEqual(more, []);
  assert.equal(plan?.atMs, NOW_MS);
  assert.deepEqual([plan?.admin?.email, plan?.admin?.role], [report.adminEmail, 'admin']);
  assert.ok(await isPassword(report.adminPassword ?? '', plan?.admin?.passwordHash ?? ''));
  assert.deepEqual([report.siteId, report.siteName, plan?.site?.controllerKind], [1, 'Demo', 'simulator']);
  assert.deepEqual([plan?.key?.scope, plan?.key?.rateLimit], ['write', 0]);
  assert.equal(keyIdOf(report.keyText ?? ''), plan?.key?.id);
  assert.deepEqual(plan?.key?.hash, hashKeyText(report.keyText ?? ''));
});

test('without the demo nothing is created, and the installation counts as set up', async () => {
  assert.deepEqual(await setup({}, { demo: false, admin: undefined }), {});
  assert.deepEqual(plans, [{ atMs: NOW_MS, isFirst: true }]);
});

test('a configured administrator is created without the demo too, and the password is not reported', async () => {
  assert.deepEqual(await setup({}, { demo: false, admin }), { adminEmail: 'ada@example.org' });
  assert.ok(await isPassword(admin.password, plans[0]?.admin?.passwordHash ?? ''));
});

test('an installation that is set up stays unchanged', async () => {
  const state = { isSetupDone: true, users: 1, sites: 0, keys: 0 };
  assert.deepEqual(await setup(state, { demo: true, admin }), {});
  assert.deepEqual(plans, []);
});

test('an administrator can be added later while there are no users', async () => {
  const report = await setup({ isSetupDone: true }, { demo: true, admin });
  assert.deepEqual(report, { adminEmail: 'ada@example.org' });
  assert.equal(plans.length, 1);
  assert.deepEqual([plans[0]?.site, plans[0]?.key], [undefined, undefined]);
});

test('the demo adds nothing to an installation with users, sites or keys', async () => {
  const report = await setup({ users: 1, sites: 2, keys: 3 }, { demo: true, admin: undefined });
  assert.deepEqual(report, {});
  assert.deepEqual(plans, [{ atMs: NOW_MS, isFirst: true }]);
});

test('nothing is reported if another instance was faster', async () => {
  const installation = { state: async () => NEW, setup: async () => undefined };
  const setupLate = makeSetup({ installation, clock: { nowMs: () => NOW_MS } });
  assert.deepEqual(await setupLate({ demo: true, admin: undefined }), {});
});

test('ADMIN_EMAIL is used in the form of accounts, and refused if it could be confused with another address', async () => {
  const input = (email: string) => ({ demo: false, admin: { ...admin, email } });
  assert.deepEqual(await setup({}, input('Ada@Zürich.ch')), { adminEmail: 'ada@xn--zrich-kva.ch' });
  await assert.rejects(
    setup({}, input('\u212Aarl@example.org')),
    /ADMIN_EMAIL: expected an e-mail address of plain ASCII/,
  );
});
