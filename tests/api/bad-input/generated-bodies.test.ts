// Thousands of generated bodies (tens of thousands in the long tier), processed in memory by the real reader and use
// case. An order whose meaning is known gets exactly the response that the contract specifies; arbitrary bytes get one
// of the specified responses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { UpstreamOrder } from '../../../src/kernel/controllers/controller.ts';
import { cases } from '../../support/more-cases.ts';
import { MAX_VALUE } from '../support/bad-input-generated-fields.ts';
import { anyBody, fieldsOfOrder, type OrderFields, toBody } from '../support/bad-input-generated-orders.ts';
import { DATE, makeInProcessPost, type Outcome, SITE_ID } from '../support/bad-input-in-process.ts';

const ORDERS = cases({ everyday: 4_000, long: 20_000 });
const ANY_BODIES = cases({ everyday: 4_000, long: 20_000 });

const tooHigh = (field: string) => `${field} darf höchstens ${MAX_VALUE} sein`;
const messages = {
  'not-plain': 'name darf keine Steuerzeichen enthalten',
  'too-long': 'name darf höchstens 244 Zeichen lang sein',
};
const refusals = new Set([
  'site_id erforderlich',
  'name erforderlich',
  ...Object.values(messages),
  ...['max_uses', 'expire_minutes', 'down', 'up', 'quota_mb'].map(tooHigh),
]);

/** A second implementation of the contract: returns the message of the refusal, or the order sent upstream. */
function expected(fields: OrderFields): string | UpstreamOrder {
  const site = fields.site?.means ?? 0;
  if (site < 1) return 'site_id erforderlich';
  const named = fields.name?.means;
  if (!named) return 'name erforderlich';
  if ('refused' in named) return messages[named.refused];

  const atLeast = (least: number, otherwise: number, value = otherwise) =>
    value < least ? otherwise : value;
  const qos = fields.notQos === undefined ? fields : { down: undefined, up: undefined, quotaMb: undefined };
  const order = {
    name: `${DATE}_${named.name}`,
    maxUses: atLeast(1, 1, fields.maxUses?.means),
    expireMinutes: atLeast(1, 480, fields.expireMinutes?.means),
    downKbps: atLeast(0, 0, qos.down?.means),
    upKbps: atLeast(0, 0, qos.up?.means),
    quotaMb: atLeast(0, 0, qos.quotaMb?.means),
  };
  if (order.maxUses > MAX_VALUE) return tooHigh('max_uses');
  if (order.expireMinutes > MAX_VALUE) return tooHigh('expire_minutes');
  if (order.downKbps > MAX_VALUE) return tooHigh('down');
  if (order.upKbps > MAX_VALUE) return tooHigh('up');
  if (order.quotaMb > MAX_VALUE) return tooHigh('quota_mb');
  return site === SITE_ID ? order : 'Site nicht gefunden';
}

function assertKnownResponse({ response, asked }: Outcome): void {
  const body = JSON.parse(String(response.body));
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  if (response.status === 201) {
    assert.ok(asked, 'created without calling the controller');
    assertSoundOrder(asked);
    const { maxUses: max_uses, expireMinutes: expire_minutes } = asked;
    const code = { code: '0482715936', formatted_code: '04827-15936' };
    assert.deepEqual(body, { success: true, ...code, site: 'Demo', max_uses, expire_minutes });
    return;
  }
  assert.equal(asked, undefined, 'a refused order was sent upstream');
  const known =
    response.status === 404
      ? body.error === 'not_found' && body.message === 'Site nicht gefunden'
      : response.status === 400 && body.error === 'invalid_request' && refusals.has(body.message);
  assert.ok(known, `${response.status} ${response.body}`);
  assert.deepEqual(Object.keys(body), ['error', 'message']);
}

/** The properties of an order that a controller can rely on, whatever the request contained. */
function assertSoundOrder(asked: UpstreamOrder): void {
  const { name, maxUses, expireMinutes, downKbps, upKbps, quotaMb } = asked;
  for (const value of [maxUses, expireMinutes, downKbps, upKbps, quotaMb])
    assert.ok(Number.isInteger(value) && value <= MAX_VALUE && !Object.is(value, -0), String(value));
  assert.ok(Math.min(maxUses, expireMinutes) >= 1);
  assert.ok(Math.min(downKbps, upKbps, quotaMb) >= 0);

  assert.ok(name.startsWith(`${DATE}_`));
  const own = name.slice(DATE.length + 1);
  assert.ok(own.length > 0 && [...own].length <= 244 && own.isWellFormed());
  assert.doesNotMatch(own, /\p{Cc}/u);
  assert.doesNotMatch(own, /^\p{White_Space}|\p{White_Space}$/u);
}

test('an order gets the specified response, and the controller gets the converted values', async () => {
  const post = makeInProcessPost();
  const property = fc.asyncProperty(fieldsOfOrder, async (fields) => {
    const outcome = await post(Buffer.from(toBody(fields)));
    assertKnownResponse(outcome);
    const { asked, response } = outcome;
    assert.deepEqual(asked ?? JSON.parse(String(response.body)).message, expected(fields));
  });
  await fc.assert(property, { numRuns: ORDERS });
});

test('a body of arbitrary bytes gets a response that the contract specifies', async () => {
  const post = makeInProcessPost();
  const property = fc.asyncProperty(anyBody, async (body) => assertKnownResponse(await post(body)));
  await fc.assert(property, { numRuns: ANY_BODIES });
});
