// Tests that each failure of a controller is reported with a cause for which the pages have messages: at first contact,
// at login and on every call. A text may change, a cause may not.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { type Fault, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import type { Controller, FailureCause } from '../../src/kernel/controllers/controller.ts';
import { probeCertificate } from '../../src/kernel/controllers/upstream/probe-certificate.ts';
import type { ControllerConnection } from '../../src/kernel/sites/controller-connection.ts';
import type { Site } from '../../src/kernel/sites/site.ts';
import { TEST_ORDER } from '../../src/kernel/sites/test-site.ts';
import { ordering } from '../support/ordering.ts';
import { connect, pinnedSite, WRONG_FINGERPRINT } from './support/pinned-site.ts';

const console = await startSimulatedConsole({ loginsPerMinute: null });
const server = await startSimulatedConsole({ flavour: 'unifi-classic' });
const closed = 'https://127.0.0.1:9';
const nameless = 'https://gibtsnicht.invalid';
after(() => Promise.all([console.stop(), server.stop()]));

const soon = () => AbortSignal.timeout(15_000);
type Ask = (controller: Controller) => Promise<FailureCause | undefined>;
const check: Ask = async (controller) => (await controller.check(soon()))?.cause;
const list: Ask = async (controller) => {
  const listed = await controller.listSites(soon());
  return listed.ok ? undefined : listed.problem.cause;
};
const create: Ask = async (controller) => {
  const made = await controller.createVouchers(TEST_ORDER, 1, ordering());
  return made.ok ? undefined : made.problem.cause;
};

/** Each call uses its own connections, so that a pause after failures does not affect the other calls. */
async function causeOf(site: Site, ask: Ask, fault?: Fault): Promise<FailureCause | undefined> {
  const controllers = connect();
  if (fault) console.controls.setFault(fault);
  try {
    return await ask(controllers.controllerOf(site));
  } finally {
    console.controls.resetFaults();
    await controllers.close();
  }
}

function withConnection(site: Site, connection: Partial<ControllerConnection>): Site {
  assert.ok(site.connection);
  return { ...site, connection: { ...site.connection, ...connection } };
}

const unifi = pinnedSite(console, 'unifi');
const classic = pinnedSite(console, 'unifi-classic');
const wrongLogin = { username: 'mallory', password: 'falsches Passwort' };

const ofConnections: [string, Site, FailureCause][] = [
  ['a port without a server', withConnection(unifi, { url: closed }), 'nobody-answers'],
  ['an unknown host name', withConnection(unifi, { url: nameless }), 'name-unknown'],
  [
    'another certificate',
    pinnedSite(console, 'unifi', { fingerprint256: WRONG_FINGERPRINT }),
    'other-certificate',
  ],
  [
    'a certificate without a trusted issuer',
    withConnection(unifi, { trust: { kind: 'ca' } }),
    'unvouched-certificate',
  ],
  ['a wrong API key', pinnedSite(console, 'unifi', { credentials: { apiKey: 'falsch' } }), 'api-key'],
  ['a wrong password', pinnedSite(console, 'unifi-classic', { credentials: wrongLogin }), 'login'],
  ['a controller without that API', pinnedSite(server, 'unifi'), 'api-missing'],
];

const ofResponses: [string, Site, Ask, Fault, FailureCause][] = [
  ['a login that needs a second factor', classic, check, { kind: 'mfa', match: 'login' }, 'second-factor'],
  ['too many logins', classic, check, { kind: 'login-limit', match: 'login' }, 'asks-for-pause'],
  ['too many calls', unifi, check, { kind: 'status', status: 429 }, 'asks-for-pause'],
  ['a role without permission', unifi, create, { kind: 'status', status: 403, match: 'create' }, 'role'],
  [
    'an account without permission',
    classic,
    create,
    { kind: 'status', status: 403, match: 'create', text: 'api.err.NoPermission' },
    'role',
  ],
  ['a refused order', unifi, create, { kind: 'status', status: 400, match: 'create' }, 'refused'],
  [
    'an order refused by the classic API',
    classic,
    create,
    { kind: 'status', status: 400, match: 'create' },
    'refused',
  ],
  ['an internal failure', unifi, check, { kind: 'status', status: 503 }, 'failed'],
  ['a server that is not UniFi', unifi, check, { kind: 'redirect' }, 'not-controller'],
  ['a connection that breaks off', unifi, check, { kind: 'cut-before-write' }, 'broke-off'],
];

describe('failures are reported with a cause', () => {
  for (const [what, site, cause] of ofConnections)
    test(`${what}: ${cause}, for a check and for a list`, async () => {
      for (const ask of [check, list]) assert.equal(await causeOf(site, ask), cause);
    });

  for (const [what, site, ask, fault, cause] of ofResponses)
    test(`${what}: ${cause}`, async () => {
      assert.equal(await causeOf(site, ask, fault), cause);
    });

  for (const kind of ['unifi', 'unifi-classic'] as const)
    test(`a site that ${kind} does not have: no-such-site; the sites can still be listed`, async () => {
      const site = pinnedSite(console, kind, { site: 'nowhere' });
      assert.equal(await causeOf(site, check), 'no-such-site');
      assert.equal(await causeOf(site, list), undefined);
    });

  test('a controller that hangs: too-slow', async () => {
    const briefly: Ask = async (controller) => (await controller.check(AbortSignal.timeout(200)))?.cause;
    assert.equal(await causeOf(unifi, briefly, { kind: 'hang-before-write' }), 'too-slow');
  });

  const again: Ask = async (controller) => {
    for (let times = 0; times < 5; times++) await check(controller);
    return check(controller);
  };

  test('a controller that fails repeatedly is not called for a while: away', async () => {
    assert.equal(await causeOf(withConnection(unifi, { url: closed }), again), 'away');
  });

  test('a controller with another certificate is not away, however often it is called', async () => {
    const changed = pinnedSite(console, 'unifi', { fingerprint256: WRONG_FINGERPRINT });
    assert.equal(await causeOf(changed, again), 'other-certificate');
  });

  test('at first contact: no server, an unknown host name, a server without HTTPS', async () => {
    const talker = createServer((socket) => socket.on('error', () => {}).end('220 mail.example ESMTP\r\n'));
    talker.listen(0, '127.0.0.1');
    await once(talker, 'listening');
    const address = talker.address();
    assert.ok(address && typeof address === 'object');
    const causes: unknown[] = [];
    for (const url of [closed, nameless, `https://127.0.0.1:${address.port}`]) {
      const met = await probeCertificate(url);
      causes.push(met.ok ? 'met' : met.problem.cause);
    }
    talker.close();
    assert.deepEqual(causes, ['nobody-answers', 'name-unknown', 'not-https']);
  });

  test('an API key that the console repeats is masked in the error text', async () => {
    const controllers = connect();
    console.controls.setFault({ kind: 'status', status: 400, text: `what is ${console.apiKey}` });
    const listed = await controllers.controllerOf(unifi).listSites(soon());
    await controllers.close();
    assert.match(listed.ok ? '' : listed.problem.text, /refused \(400\): what is \S+$/);
    assert.ok(!JSON.stringify(listed).includes(console.apiKey));
  });
});
