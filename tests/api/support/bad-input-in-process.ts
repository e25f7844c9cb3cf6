// POST /vouchers.php without a network or a database: the real handler, reader and use case with a store in memory,
// fast enough for a hundred thousand bodies. Also returns the order that the controller received.

import assert from 'node:assert/strict';
import { makeVouchersHandler } from '../../../src/kernel/contract/vouchers-handler.ts';
import type { Controller, UpstreamOrder } from '../../../src/kernel/controllers/controller.ts';
import { asIntentId, asKeyId, asSiteId } from '../../../src/kernel/ids.ts';
import type { ApiKey } from '../../../src/kernel/keys/api-key.ts';
import { makeCreateVoucher } from '../../../src/kernel/vouchers/create-vouchers.ts';
import type { VoucherStore } from '../../../src/kernel/vouchers/voucher-records.ts';
import type { HttpResponse } from '../../../src/platform/http/handler.ts';
import type { Log } from '../../../src/platform/log/log.ts';
import { startDeadline } from '../../../src/platform/time/deadline.ts';
import { ok } from '../../../src/platform/values/result.ts';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { SITE } from '../../support/site.ts';
import { unobserved } from '../../support/unobserved.ts';

export const DATE = '2026-01-15';
/** The only site. */
export const SITE_ID = 1;
const CODE = '0482715936';
const CREATED = { code: CODE, siteName: 'Demo' };

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, isLevelEnabled: () => false };
const unasked = () => assert.fail('a creation must not call this function');

export interface Outcome {
  response: HttpResponse;
  /** The order that the controller received; undefined if no order was sent upstream. */
  asked: UpstreamOrder | undefined;
}

export function makeInProcessPost(): (body: Buffer) => Promise<Outcome> {
  let asked: UpstreamOrder | undefined;
  const controller: Controller = {
    bounds: {},
    overload: () => undefined,
    async createVouchers(order) {
      asked = order;
      const fresh = {
        controllerVoucherId: null,
        code: CODE,
        usedCount: 0,
        createdAtMs: 0,
        firstUsedAtMs: null,
      };
      return ok({ vouchers: [{ ...order, ...fresh }] });
    },
    findVouchersNamed: unasked,
    forEachVoucherChunk: unasked,
    findUses: unasked,
    deleteVoucher: unasked,
    listsAny: unasked,
    listSites: unasked,
    check: unasked,
  };
  const vouchers: VoucherStore = {
    findResponse: unasked,
    begin: async (intent) => ok([{ id: asIntentId(1), createdAtMs: 0, ...intent }]),
    record: async (intents) => ({
      created: intents.map(({ order: { maxUses, expireMinutes } }) => ({
        ...CREATED,
        maxUses,
        expireMinutes,
      })),
      left: [],
    }),
    recover: unasked,
    abandon: unasked,
    listIntents: unasked,
    countIntents: unasked,
    readNowMs: unasked,
    listVersion: unasked,
    onListChange: () => {},
    listNewest: unasked,
    addNotedChanges: async () => {},
    forgetOldResponses: unasked,
  };
  const site = { ...SITE, id: asSiteId(SITE_ID), name: CREATED.siteName };
  let openDeadlines = 0;
  const createVoucher = makeCreateVoucher({
    ...unobserved,
    sites: { findActive: async (id) => (id === site.id ? site : undefined) },
    vouchers,
    controllerOf: () => controller,
    activeIntents: new Set(),
    nextSearch: { leftS: () => 1 },
    clock: makeFakeClock(`${DATE}T11:28:51.000Z`),
    startDeadline(ms) {
      openDeadlines++;
      const deadline = startDeadline(ms);
      return {
        ...deadline,
        [Symbol.dispose]() {
          openDeadlines--;
          deadline[Symbol.dispose]();
        },
      };
    },
    timeZone: 'Europe/Berlin',
  });
  const { POST } = makeVouchersHandler({ listResponse: unasked, createVoucher, log: silent });
  assert.ok(POST);
  const apiKey: ApiKey = {
    id: asKeyId('00000000'),
    name: 'Test',
    scope: 'write',
    rateLimit: 0,
    sites: 'all',
    expiresAtMs: null,
  };

  return async function post(body) {
    asked = undefined;
    const request = {
      id: 'generated',
      method: 'POST',
      query: '',
      headers: {},
      isHttps: () => false,
      clientIp: () => '127.0.0.1',
      headerOfProxy: () => [],
      readBody: async () => ok(body),
    };
    const response = await POST.run(request, apiKey);
    assert.equal(openDeadlines, 0, 'a request that has ended keeps no timer');
    return { response, asked };
  };
}
