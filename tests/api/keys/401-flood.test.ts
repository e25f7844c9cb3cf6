// A flood of wrong keys from one network: refused without a look-up, with one line in the log. Valid keys from the same
// network work, also keys that this instance has not seen before.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId } from '../../../src/kernel/ids.ts';
import { makeKeyText } from '../../../src/kernel/keys/api-key.ts';
import { MAX_WRONG } from '../../../src/platform/network/network-floods.ts';
import { TESTER } from '../../support/actors.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { forgeKey, idOf } from './forge-key.ts';

const FLOODING = '203.0.113.9';

let service: TestService;
before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
});
after(() => service.stop());

const send = (key: string, ip = FLOODING) =>
  service.call('GET', 'vouchers.php?site_id=1', { key, headers: { 'x-forwarded-for': ip } });

/** Each with an id that does not exist. */
async function sendUnknownKeys(count: number, ip = FLOODING): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, () => send(makeKeyText().keyText, ip)));
}

function lineOf({ headers }: Reply): Record<string, unknown> | undefined {
  return service.logLines.find(({ requestId }) => requestId === headers.get('x-request-id'));
}

const warnings = () =>
  service.logLines.filter(
    ({ level, msg }) => level === 'warn' && /flood of wrong API keys/.test(String(msg)),
  );

async function refusals(reason: string): Promise<number> {
  const { text } = await service.call('GET', '/metrics', { key: null });
  const series = `gastpass_api_keys_refused_total{reason="${reason}"} `;
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(series))
      ?.slice(series.length) ?? 0,
  );
}

/** Refuses all queries for keys by hiding their table, so that a look-up would fail with 500 or 503. */
async function withoutKeys(work: () => Promise<void>): Promise<void> {
  service.change('alter table api_keys rename to hidden_keys');
  try {
    await work();
  } finally {
    service.change('alter table hidden_keys rename to api_keys');
  }
}

test('a flood gets the same 401 without a look-up; valid keys and other networks are not affected', async () => {
  const [seen, unseen, revoked] = [
    await service.issueKey('read'),
    await service.issueKey('read', 1_000),
    await service.issueKey('read'),
  ];
  assert.equal((await send(seen)).status, 200);
  const [first] = await sendUnknownKeys(MAX_WRONG);
  assert.ok(first);
  assert.deepEqual([lineOf(first)?.refusedBecause, lineOf(first)?.level], ['unknown', 'info']);

  const wrong = [makeKeyText().keyText, forgeKey(idOf(seen), 'A'.repeat(32)), 'gpk_x'];
  for (const key of wrong) {
    const reply = await send(key);
    assert.deepEqual([reply.status, reply.text], [401, first.text]);
    assert.deepEqual([lineOf(reply)?.refusedBecause, lineOf(reply)?.level], ['flood', 'debug']);
  }
  for (const key of [seen, unseen]) assert.equal((await send(key)).status, 200);
  await service.beside.keys.revoke(asKeyId(idOf(revoked)), { actor: TESTER, atMs: 0 });
  assert.equal((await send(revoked)).status, 401);

  const elsewhere = await send(makeKeyText().keyText, '203.0.113.10');
  assert.equal(lineOf(elsewhere)?.refusedBecause, 'unknown');
});

test('during a flood, keys that were not issued cause no query', async () => {
  service.clock.advance(60_000);
  const key = await service.issueKey('read');
  await sendUnknownKeys(MAX_WRONG);
  // Reads the hashes of the valid keys.
  assert.equal((await send(makeKeyText().keyText)).status, 401);
  await withoutKeys(async () => {
    assert.deepEqual(new Set((await sendUnknownKeys(20)).map(({ status }) => status)), new Set([401]));
    assert.ok((await send(makeKeyText().keyText, '203.0.113.11')).status >= 500);
    assert.ok((await send(key)).status >= 500);
  });
  assert.equal((await send(key)).status, 200);
});

test('a key that is issued during a flood works after a second at the latest', async () => {
  service.clock.advance(60_000);
  await sendUnknownKeys(MAX_WRONG + 1);
  const key = await service.issueKey('read');
  service.clock.advance(1_000);
  assert.equal((await send(key)).status, 200);
});

test('a flood is logged once per minute and network, and counted', async () => {
  service.clock.advance(60_000);
  const [before, counted] = [warnings().length, await refusals('flood')];
  await sendUnknownKeys(MAX_WRONG + 40);
  const [warning] = warnings().slice(before);
  assert.equal(warnings().length, before + 1);
  assert.deepEqual([warning?.network, warning?.wrongKeys], [FLOODING, MAX_WRONG]);
  assert.ok((await refusals('flood')) > counted);
  service.clock.advance(60_000);
  await sendUnknownKeys(MAX_WRONG + 1, '2001:db8::1');
  assert.equal(warnings().at(-1)?.network, '2001:db8::/64');
});
