// Which key may use which route of the second API. Every route of the OpenAPI document is called by every kind of
// caller; a route that is missing here fails.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import type { Scope } from '../../../src/kernel/keys/api-key.ts';
import { TESTER } from '../../support/actors.ts';
import { document } from '../../support/openapi-v1-check.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

const CALLERS = [
  'nobody',
  'revoked',
  'expired',
  'read here',
  'write here',
  'read elsewhere',
  'write elsewhere',
] as const;
type Caller = (typeof CALLERS)[number];

const REFUSED = { nobody: 401, revoked: 401, expired: 401 };
const FOR_ALL = {
  ...REFUSED,
  'read here': 200,
  'write here': 200,
  'read elsewhere': 200,
  'write elsewhere': 200,
};
/** A key for another site does not learn whether the thing exists. */
const OF_SITE = { ...FOR_ALL, 'read elsewhere': 404, 'write elsewhere': 404 };
const WRITE = {
  ...REFUSED,
  'read here': 403,
  'write here': 200,
  'read elsewhere': 403,
  'write elsewhere': 404,
};

const FATES: Record<string, Record<Caller, number>> = {
  'get /vouchers': FOR_ALL,
  'post /vouchers': { ...WRITE, 'write here': 201 },
  'get /vouchers/{id}': OF_SITE,
  'get /vouchers/by-code/{site}/{code}': OF_SITE,
  'post /vouchers/{id}/revoke': WRITE,
  'get /batches/{id}': OF_SITE,
  'post /batches/{id}/resume': { ...WRITE, 'write here': 202 },
  'get /sites': FOR_ALL,
  'get /sites/{id}': OF_SITE,
  'get /key': FOR_ALL,
};

let service: TestService;
const keys = new Map<Caller, string | null>();
before(async () => {
  service = await startTestService();
  const elsewhere = await service.addSite('default', 'Haus B');
  const issue = async (scope: Scope, site: number, change = {}) => {
    const wanted = { name: 'x', scope, rateLimit: 0, sites: [asSiteId(site)], ...change };
    return service.beside.issueKey(wanted, audit());
  };
  keys.set('nobody', null);
  const revoked = await issue('write', 1);
  await service.beside.keys.revoke(revoked.key.id, audit());
  keys.set('revoked', revoked.keyText);
  keys.set('expired', (await issue('write', 1, { expiresAtMs: service.clock.nowMs() - 1 })).keyText);
  for (const scope of ['read', 'write'] as const) {
    keys.set(`${scope} here`, (await issue(scope, 1)).keyText);
    keys.set(`${scope} elsewhere`, (await issue(scope, elsewhere)).keyText);
  }
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });

test('the table has all routes of the document', () => {
  const routes = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  assert.deepEqual(Object.keys(FATES).sort(), routes.sort());
});

for (const [route, fates] of Object.entries(FATES))
  test(route, async () => {
    const order = { site: 1, name: 'x' };
    const [voucher] = (await service.call('POST', 'v1/vouchers', { body: order })).json.vouchers;
    const [method = '', pattern = ''] = route.split(' ');
    const batch = pattern.startsWith('/batches')
      ? (await service.call('POST', 'v1/vouchers', { body: { ...order, count: 2 } })).json.batch.id
      : '';
    const path = pattern
      .replace('/batches/{id}', `/batches/${batch}`)
      .replace('/sites/{id}', '/sites/1')
      .replace('{id}', voucher.id)
      .replace('{site}', '1')
      .replace('{code}', voucher.code);
    const body = route === 'post /vouchers' ? order : undefined;
    for (const caller of CALLERS) {
      const { status } = await service.call(method.toUpperCase(), `v1${path}`, {
        key: keys.get(caller) ?? null,
        body,
      });
      assert.equal(status, fates[caller], caller);
    }
  });
