// Makes a new installation usable: creates the first administrator and, for the demo, a site and an API key. Called at
// every start. After the first start, it only creates the configured administrator, and only if there are no users.

import type { WithLease } from '../../platform/leases/leases.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { WrongConfiguration } from '../../platform/values/wrong-configuration.ts';
import type { SiteId } from '../ids.ts';
import { makeNewKey } from '../keys/issue-key.ts';
import { DEMO_KEY_NAME, type NewKey } from '../keys/key-records.ts';
import type { NewSite } from '../sites/site.ts';
import { toEmailAddress } from '../users/email-address.ts';
import { hashPassword, makePassword } from '../users/password.ts';
import type { NewUser } from '../users/user.ts';
import { findPasswordIssue, PASSWORD_ADVICE } from '../users/weak-password.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

export interface InstallationState {
  isSetupDone: boolean;
  users: number;
  sites: number;
  keys: number;
}

export interface SetupPlan {
  admin?: NewUser;
  site?: NewSite;
  key?: NewKey;
  atMs: number;
  isFirst: boolean;
}

export interface InstallationStore {
  state(): Promise<InstallationState>;
  /** Applies the whole plan and returns the new site's id. Applies nothing if another process was faster: undefined. */
  setup(plan: SetupPlan): Promise<{ siteId?: SiteId } | undefined>;
}

export interface SetupInput {
  demo: boolean;
  admin: { email: string; password: string } | undefined;
}

/** What was created; shown only once. `adminPassword` is absent if the operator chose the password. */
export interface SetupReport {
  adminEmail?: string;
  adminPassword?: string;
  siteId?: SiteId;
  siteName?: string;
  keyText?: string;
  /** The token with which the first administrator can be created at /setup. */
  setupToken?: string;
}

const DEMO_SITE: NewSite = {
  name: 'Demo',
  active: true,
  controllerKind: 'simulator',
  controllerSite: 'default',
  connection: null,
};
const DEMO_ADMIN_EMAIL = 'admin@localhost';
const ADMIN_NAME = 'Administrator';
const SETUP_WAIT_MS = 200;

interface OnceDeps {
  withLease: WithLease;
  setup: (input: SetupInput) => Promise<SetupReport>;
  offerSetup: () => Promise<string | undefined>;
}

/** If several instances start at the same time, one runs the set-up; the others then find it complete. */
export function makeSetupOnce({ withLease, setup, offerSetup }: OnceDeps) {
  return async function setupOnce(input: SetupInput): Promise<SetupReport> {
    for (;;) {
      const report = await withLease('set-up', new AbortController().signal, async () => {
        const made = await setup(input);
        const setupToken = await offerSetup();
        return { ...made, ...(setupToken && { setupToken }) };
      });
      if (report) return report;
      await new Promise((resolve) => setTimeout(resolve, SETUP_WAIT_MS));
    }
  };
}

export function makeSetup({ installation, clock }: { installation: InstallationStore; clock: Clock }) {
  return async function setup(input: SetupInput): Promise<SetupReport> {
    const state = await installation.state();
    const withDemo = input.demo && !state.isSetupDone;
    const plan: SetupPlan = { atMs: clock.nowMs(), isFirst: !state.isSetupDone };
    const report: SetupReport = {};

    if (state.users === 0 && (input.admin || withDemo)) {
      report.adminEmail = input.admin ? adminAddress(input.admin.email) : DEMO_ADMIN_EMAIL;
      if (input.admin) refuseWeakPassword(input.admin);
      else report.adminPassword = makePassword();
      plan.admin = await newAdmin(
        report.adminEmail,
        input.admin?.password ?? report.adminPassword,
        plan.atMs,
      );
    }
    if (withDemo && state.sites === 0) {
      plan.site = DEMO_SITE;
      report.siteName = DEMO_SITE.name;
    }
    if (withDemo && state.keys === 0) {
      const made = makeNewKey({ name: DEMO_KEY_NAME, scope: 'write', rateLimit: 0 }, plan.atMs);
      plan.key = made.key;
      report.keyText = made.keyText;
    }
    if (!state.isSetupDone || plan.admin) {
      const done = await installation.setup(plan);
      return done ? { ...report, ...done } : {};
    }
    return report;
  };
}

function adminAddress(text: string): string {
  const email = toEmailAddress(text.trim());
  if (email !== undefined) return email;
  throw new WrongConfiguration(
    'ADMIN_EMAIL: expected an e-mail address of plain ASCII, such as a@example.org',
  );
}

/**
 * Called only when the password is about to be used. Otherwise a password that an earlier release accepted could keep
 * this release from starting.
 */
function refuseWeakPassword({ email, password }: { email: string; password: string }): void {
  const issue = findPasswordIssue(password, { email, name: ADMIN_NAME, title: DEFAULT_SETTINGS.title });
  if (issue) throw new WrongConfiguration(`ADMIN_PASSWORD: ${PASSWORD_ADVICE[issue]}`);
}

async function newAdmin(email: string, password = '', createdAtMs: number): Promise<NewUser> {
  return {
    email,
    name: ADMIN_NAME,
    role: 'admin',
    passwordHash: await hashPassword(password),
    createdAtMs,
  };
}
