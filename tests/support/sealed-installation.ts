// An installation with one value in every sealed column, for tests of `rekey`.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { openInstallation } from '../../src/app/installation.ts';
import { asUserId } from '../../src/kernel/ids.ts';
import { makeControllerSessions } from '../../src/kernel/sites/controller-session-store.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { openStorage } from '../../src/platform/database/open-storage.ts';
import { TESTER } from './actors.ts';

const AUDIT = { actor: TESTER, atMs: 1 };
const KILL_AT = fileURLToPath(new URL('kill-at.ts', import.meta.url));

/** Options of a command that is killed at a step of `rekey`. */
export const killedAt = (step: string, environment: Record<string, string> = {}) => ({
  nodeOptions: ['--import', KILL_AT],
  environment: { ...environment, KILL_AT: step },
});

export async function fillSealedColumns(config: Config): Promise<void> {
  const { sites, slips, webhooks, users, secondFactors, close } = await openInstallation(config);
  const connection = {
    url: 'https://192.0.2.1',
    credentials: { apiKey: 'geheim' },
    trust: { kind: 'ca' as const },
  };
  const site = {
    name: 'Haus A',
    active: false,
    controllerKind: 'unifi' as const,
    controllerSite: 'default',
    connection,
  };
  const siteId = await sites.add(site, AUDIT);
  const slip = { wifiName: 'Gäste', wifiSecurity: 'wpa' as const, wifiPassword: 'geheim1234', text: '' };
  await slips.save(siteId, slip, AUDIT);
  const url = 'https://hooks.example.org/geheim';
  await webhooks.add({ url, format: 'generic', platform: null, secrets: { current: 'whsec_AAAA' } }, AUDIT);
  const anna = { email: 'anna@example.org', name: 'Anna', role: 'admin' as const, passwordHash: '-' };
  const userId = await users.add({ ...anna, createdAtMs: 1 }, AUDIT);
  const user = { id: asUserId(userId ?? 0), email: anna.email };
  await secondFactors.turnOn(user, { secret: 'GEHEIM', step: 1, codeHashes: ['-'] }, AUDIT);
  await close();
  const { database, seal } = await openStorage(config);
  await makeControllerSessions(database, seal).save('https://192.0.2.1 anna', 'TOKEN=geheim');
  await database.close();
}

/** Fails if a value cannot be opened with these settings, or has changed. */
export async function assertAllReadable(config: Config): Promise<void> {
  const installation = await openInstallation(config);
  try {
    const { broken } = await installation.tallySealedValues();
    assert.deepEqual(broken, []);
    const [site] = await installation.sites.list();
    assert.deepEqual(site?.connection?.credentials, { apiKey: 'geheim' });
    assert.equal(site && (await installation.slips.find(site.id)).wifiPassword, 'geheim1234');
    const [webhook] = await installation.webhooks.list();
    assert.deepEqual(
      [webhook?.url, webhook?.secrets],
      ['https://hooks.example.org/geheim', { current: 'whsec_AAAA' }],
    );
    const [user] = await installation.users.list();
    assert.equal(user && (await installation.secondFactors.secretOf(user.id))?.secret, 'GEHEIM');
  } finally {
    await installation.close();
  }
}
