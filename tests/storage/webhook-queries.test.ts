// Tests the queries for webhooks on every engine: webhooks are read back as they were added, and neither their URLs nor
// their secrets are stored in plain text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookChange } from '../../src/features/webhooks/webhook.ts';
import {
  deleteWebhook,
  selectWebhook,
  selectWebhooks,
  updateWebhook,
} from '../../src/features/webhooks/webhook-queries.ts';
import { noteWebhookAttempt } from '../../src/features/webhooks/webhook-recipient-queries.ts';
import { asWebhookId, type WebhookId } from '../../src/kernel/ids.ts';
import { makeSeal } from '../../src/platform/secrets/seal.ts';
import { onEveryEngine } from './engines.ts';
import { addWebhook, failedFor, NOW_MS, sampleWebhook, seal } from './samples.ts';

const NOBODY = asWebhookId(2_147_483_647);

onEveryEngine('webhooks', (database) => {
  const find = (id: WebhookId) => selectWebhook(database().read, seal, id);
  const change = (id: WebhookId, input: WebhookChange) =>
    database().write((transaction) =>
      updateWebhook(transaction, seal, { id, change: input, now: database().now() }),
    );
  const rowOf = (id: WebhookId) =>
    database().read.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const failWith = (id: WebhookId, offBecause: string | null) =>
    database().write((transaction) =>
      noteWebhookAttempt(transaction, seal, {
        id,
        verdict: { ...failedFor(60_000), offBecause },
        now: database().now(),
      }),
    );

  test('a webhook is read back as it was added: active, without failures, sorted by id', async () => {
    const id = await addWebhook(database());
    const chat = { url: 'http://chat.lan/x?y=ä', format: 'chat', platform: 'ntfy', secrets: null } as const;
    const other = await addWebhook(database(), chat);
    const fresh = { active: true, offBecause: null, failures: 0, createdAtMs: NOW_MS };
    const byDefault = { ...fresh, events: ['voucher.created'] };
    assert.deepEqual(await find(id), { id, name: 'hooks.example.org', ...sampleWebhook(), ...byDefault });
    assert.deepEqual(await find(other), { id: other, name: 'chat.lan', ...chat, ...byDefault });
    const all = await selectWebhooks(database().read, seal);
    assert.deepEqual(
      all.map((webhook) => webhook.id),
      [id, other],
    );
    assert.equal(await find(NOBODY), undefined);
  });

  test('neither the URL nor the secrets are in plain text, and another secret cannot open them', async () => {
    const id = await addWebhook(database());
    const until = { secret: 'whsec_VmVyZ2FuZ2Vu', untilMs: NOW_MS };
    await change(id, { secrets: { current: 'whsec_TmV1', previous: until } });
    const text = JSON.stringify(await rowOf(id));
    for (const secret of ['GEHEIM', 'hooks.example', 'whsec', 'R0VIRUlN', 'VmVyZ2FuZ2Vu', 'TmV1'])
      assert.ok(!text.includes(secret), text);
    const stranger = makeSeal('another secret of the tests, long enough');
    await assert.rejects(
      selectWebhook(database().read, stranger, id),
      /webhooks row \d+: sealed_url cannot be opened/,
    );
    assert.deepEqual((await find(id))?.secrets, { current: 'whsec_TmV1', previous: until });
  });

  test('the same URL sealed twice looks different', async () => {
    const [one, two] = [await rowOf(await addWebhook(database())), await rowOf(await addWebhook(database()))];
    assert.notEqual(one.sealed_url, two.sealed_url);
  });

  test('a deactivated webhook keeps its failures; when reactivated it has none and is due at once', async () => {
    const id = await addWebhook(database());
    await failWith(id, 'gone');
    assert.partialDeepStrictEqual(await find(id), { active: false, offBecause: 'gone', failures: 1 });
    assert.equal(await change(id, { active: false }), true);
    assert.partialDeepStrictEqual(await find(id), { active: false, offBecause: null, failures: 1 });
    assert.notEqual((await rowOf(id)).due_at_ms, 0);
    assert.equal(await change(id, { active: true }), true);
    assert.partialDeepStrictEqual(await find(id), { active: true, offBecause: null, failures: 0 });
    assert.equal((await rowOf(id)).due_at_ms, 0);
  });

  test('new secrets change no other field, and a change affects no other webhook', async () => {
    const [id, other] = [await addWebhook(database()), await addWebhook(database())];
    await failWith(id, null);
    const before = [await find(id), await find(other)];
    await change(id, { secrets: { current: 'whsec_TmV1' } });
    const secrets = { current: 'whsec_TmV1' };
    assert.deepEqual([await find(id), await find(other)], [{ ...before[0], secrets }, before[1]]);
  });

  test('a webhook that does not exist can be neither changed nor removed, and ids are never reused', async () => {
    const remove = (id: WebhookId) => database().write((transaction) => deleteWebhook(transaction, id));
    assert.deepEqual([await change(NOBODY, { active: true }), await remove(NOBODY)], [false, false]);
    const id = await addWebhook(database());
    assert.deepEqual([await remove(id), await remove(id)], [true, false]);
    assert.equal(await find(id), undefined);
    assert.ok((await addWebhook(database())) > id, 'its id is never reused');
  });
});
