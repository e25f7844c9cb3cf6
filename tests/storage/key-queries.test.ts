// Tests the queries for API keys on every engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asKeyId, asSiteId } from '../../src/kernel/ids.ts';
import {
  insertKey,
  markKeyRevoked,
  selectHashes,
  selectKey,
  selectKeys,
  updateKey,
  updateLastUsed,
} from '../../src/kernel/keys/key-queries.ts';
import { onEveryEngine } from './engines.ts';
import { addKey, NOW_MS, sampleKey } from './samples.ts';

onEveryEngine('keys', (database) => {
  test('a key is read back as it was stored', async () => {
    const hash = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 8));
    const sites = [asSiteId(2), asSiteId(11)];
    const restrictions = { sites, expiresAtMs: NOW_MS + 5, note: 'Kasse „Süd“' };
    await addKey(database(), 'stored00', { scope: 'read', rateLimit: 60, hash, ...restrictions });
    assert.deepEqual(await selectKey(database().read, asKeyId('stored00')), {
      id: 'stored00',
      name: 'Theke',
      scope: 'read',
      rateLimit: 60,
      sites,
      expiresAtMs: NOW_MS + 5,
      hash,
      revoked: false,
    });
    const summary = (await selectKeys(database().read)).find(({ id }) => id === 'stored00');
    assert.partialDeepStrictEqual(summary, restrictions);
  });

  test('a key is found only by its exact id, including case', async () => {
    await addKey(database(), 'caseAAAA');
    assert.equal(await selectKey(database().read, asKeyId('caseaaaa')), undefined);
    assert.equal(await selectKey(database().read, asKeyId('caseAAA')), undefined);
    assert.equal(await selectKey(database().read, asKeyId("' or 1=1 --")), undefined);
  });

  test('an id is unique', async () => {
    await addKey(database(), 'onlyonce');
    await assert.rejects(addKey(database(), 'onlyonce', { name: 'another' }), /unique/i);
    assert.equal((await selectKey(database().read, asKeyId('onlyonce')))?.name, 'Theke');
  });

  test('a rate limit outside its bounds cannot be stored', async () => {
    const write = (rateLimit: number) => addKey(database(), `limit${rateLimit}`, { rateLimit });
    await assert.rejects(write(-1), /check/i);
    await assert.rejects(write(1_000_001), /check/i);
    await write(1_000_000);
  });

  test('a change affects only the fields it names', async () => {
    await addKey(database(), 'changed0', { rateLimit: 5 });
    const id = asKeyId('changed0');
    const change = (to: Parameters<typeof updateKey>[2]) =>
      database().write((transaction) => updateKey(transaction, id, to));
    assert.equal(await change({ scope: 'read' }), true);
    assert.partialDeepStrictEqual(await selectKey(database().read, id), { scope: 'read', rateLimit: 5 });
    assert.equal(await change({ rateLimit: 0 }), true);
    assert.partialDeepStrictEqual(await selectKey(database().read, id), { scope: 'read', rateLimit: 0 });
    assert.equal(await change({ sites: [asSiteId(3)], expiresAtMs: NOW_MS, note: 'neu' }), true);
    const changed = { scope: 'read', sites: [asSiteId(3)], expiresAtMs: NOW_MS };
    assert.partialDeepStrictEqual(await selectKey(database().read, id), changed);
    assert.equal(await change({ expiresAtMs: null }), true);
    const unlimited = { sites: [asSiteId(3)], expiresAtMs: null };
    assert.partialDeepStrictEqual(await selectKey(database().read, id), unlimited);
  });

  test('an empty list of sites, and a list that cannot be read, mean no site', async () => {
    await addKey(database(), 'nowhere0', { sites: [] });
    const id = asKeyId('nowhere0');
    assert.deepEqual((await selectKey(database().read, id))?.sites, []);
    await database().write((transaction) =>
      transaction.updateTable('api_keys').set({ site_ids: 'ALL,*,0,-1' }).where('id', '=', id).execute(),
    );
    assert.deepEqual((await selectKey(database().read, id))?.sites, []);
  });

  test('a key is revoked once, keeps the time of revocation, and cannot be changed any more', async () => {
    await addKey(database(), 'revoked0');
    const id = asKeyId('revoked0');
    const revoke = (atMs: number) => database().write((transaction) => markKeyRevoked(transaction, id, atMs));
    assert.equal(await revoke(NOW_MS), true);
    assert.equal(await revoke(NOW_MS + 1), false);
    assert.equal((await selectKey(database().read, id))?.revoked, true);
    const changed = await database().write((transaction) => updateKey(transaction, id, { scope: 'read' }));
    assert.equal(changed, false);
    const summary = (await selectKeys(database().read)).find((key) => key.id === id);
    assert.deepEqual([summary?.revokedAtMs, summary?.scope], [NOW_MS, 'write']);
  });

  test('a key that does not exist can be neither changed nor revoked', async () => {
    const id = asKeyId('missing0');
    const results = await database().write(async (transaction) => [
      await updateKey(transaction, id, { rateLimit: 1 }),
      await markKeyRevoked(transaction, id, NOW_MS),
    ]);
    assert.deepEqual(results, [false, false]);
  });

  test('the last use is stored only for its key, and an earlier use does not replace a later one', async () => {
    await addKey(database(), 'used0000');
    await addKey(database(), 'unused00');
    const note = (atMs: number, ip: string) =>
      database().write((transaction) => updateLastUsed(transaction, asKeyId('used0000'), { atMs, ip }));
    const lastUses = async () => {
      const keys = await selectKeys(database().read);
      return ['used0000', 'unused00'].map((wanted) => {
        const key = keys.find(({ id }) => id === wanted);
        return [key?.lastUsedAtMs, key?.lastUsedIp];
      });
    };
    await note(NOW_MS + 7, '192.0.2.7');
    await note(NOW_MS + 6, '192.0.2.6');
    const unused = [null, null];
    assert.deepEqual(await lastUses(), [[NOW_MS + 7, '192.0.2.7'], unused]);
    await note(NOW_MS + 8, '2001:db8::8');
    assert.deepEqual(await lastUses(), [[NOW_MS + 8, '2001:db8::8'], unused]);
  });
});

onEveryEngine('the hashes of valid keys', (database) => {
  test('keys that are revoked or expired are left out, and too many keys are not read', async () => {
    await addKey(database(), 'valid000');
    await addKey(database(), 'later000', { expiresAtMs: NOW_MS + 1 });
    await addKey(database(), 'expired0', { expiresAtMs: NOW_MS });
    await addKey(database(), 'revoked0');
    await database().write((transaction) => markKeyRevoked(transaction, asKeyId('revoked0'), NOW_MS));
    const hashes = await selectHashes(database().read, NOW_MS, 2);
    assert.deepEqual([...(hashes ?? [])].sort(), [
      [asKeyId('later000'), Buffer.alloc(32, 'later000')],
      [asKeyId('valid000'), Buffer.alloc(32, 'valid000')],
    ]);
    assert.equal(await selectHashes(database().read, NOW_MS, 1), undefined);
  });
});

onEveryEngine('the list of keys', (database) => {
  test('keys are sorted by time of creation, then by id', async () => {
    await database().write(async (transaction) => {
      await insertKey(transaction, sampleKey('bbbbbbbb', { createdAtMs: NOW_MS }));
      await insertKey(transaction, sampleKey('aaaaaaaa', { createdAtMs: NOW_MS }));
      await insertKey(transaction, sampleKey('cccccccc', { createdAtMs: NOW_MS - 1 }));
    });
    const ids = (await selectKeys(database().read)).map(({ id }) => id);
    assert.deepEqual(ids, ['cccccccc', 'aaaaaaaa', 'bbbbbbbb']);
  });
});
