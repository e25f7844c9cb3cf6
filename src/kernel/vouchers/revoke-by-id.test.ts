// Tests what the API says about a controller that does not delete the voucher.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE } from '../../../tests/support/site.ts';
import type { Log } from '../../platform/log/log.ts';
import type { ControllerFailure } from '../controllers/controller.ts';
import { asKeyId, asVoucherId } from '../ids.ts';
import type { Site } from '../sites/site.ts';
import { makeRevokeById } from './revoke-by-id.ts';

const { id: siteId } = SITE;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, isLevelEnabled: () => false };

function revokeWith(failure: ControllerFailure, site: Site = SITE) {
  const revokeById = makeRevokeById({
    sites: { findActive: async () => site },
    revocations: {
      findById: async () => ({
        id: asVoucherId(9),
        siteId,
        controllerVoucherId: 'v9',
        code: '0482715936',
        revokedAtS: null,
      }),
    },
    revokeVoucher: async () => failure,
    clock: { nowMs: () => 0 },
    log: silent,
  });
  const actor = { kind: 'key', id: asKeyId('00000000'), name: 'Test' } as const;
  return revokeById(asVoucherId(9), { actor, keySites: 'all' });
}

test('a busy controller tells when to come back; every other failure is told with its text', async () => {
  const text = 'the controller has too many calls waiting';
  assert.deepEqual(await revokeWith({ kind: 'unreachable', text, cause: 'busy', retryAfterS: 7 }), {
    kind: 'revocation-busy',
    retryAfterS: 7,
  });
  for (const kind of ['refused', 'unreachable', 'outcome-unknown'] as const)
    assert.deepEqual(await revokeWith({ kind, text }), { kind: 'revocation-failed', failure: kind, text });
});

test('the failure has the URL of the controller, so that its host name can be masked in the text', async () => {
  const url = 'https://console.hotel.wien:8443';
  const connection = { url, credentials: { apiKey: 'k' }, trust: { kind: 'ca' } } as const;
  const failure = { kind: 'refused', text: 'ask console.hotel.wien' } as const;
  const problem = await revokeWith(failure, { ...SITE, connection });
  assert.partialDeepStrictEqual(problem, { kind: 'revocation-failed', controllerUrl: url });
});
