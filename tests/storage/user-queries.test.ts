// Tests the queries for users and for stored settings on every engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewUser } from '../../src/kernel/users/user.ts';
import { insertUser, selectUsers, updatePassword } from '../../src/kernel/users/user-queries.ts';
import { countRows, selectSetting, upsertSetting } from '../../src/platform/database/installation-queries.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS } from './samples.ts';

function user(email: string, fields: Partial<NewUser> = {}): NewUser {
  return { email, name: 'Ada', role: 'operator', passwordHash: 'hash', createdAtMs: NOW_MS, ...fields };
}

onEveryEngine('users', (database) => {
  const add = (user: NewUser) => database().write((transaction) => insertUser(transaction, user));
  const hashes = async () =>
    (await database().read.selectFrom('users').select(['email', 'password_hash']).execute()).map(
      ({ email, password_hash }) => `${email} ${password_hash}`,
    );

  test('users are listed by e-mail address, with their role and without their password', async () => {
    const bob = await add(user('bob@example.org', { name: 'Bob' }));
    const ada = await add(user('ADA@example.org', { role: 'admin' }));
    assert.deepEqual(await selectUsers(database().read), [
      { id: ada, email: 'ada@example.org', name: 'Ada', role: 'admin', active: true, createdAtMs: NOW_MS },
      { id: bob, email: 'bob@example.org', name: 'Bob', role: 'operator', active: true, createdAtMs: NOW_MS },
    ]);
  });

  test('an e-mail address is unique regardless of case, and the existing user stays unchanged', async () => {
    await add(user('carl@example.org'));
    assert.equal(await add(user('Carl@Example.ORG', { passwordHash: 'other' })), undefined);
    assert.ok((await hashes()).includes('carl@example.org hash'));
  });

  test('a new password is set only for the user with exactly that e-mail address', async () => {
    const id = await add(user('dora@example.org'));
    const change = (email: string) =>
      database().write((transaction) => updatePassword(transaction, email, 'new hash'));
    assert.equal(await change('dora@example.org'), id);
    for (const other of ['nobody@example.org', 'DORA@example.org', 'dora@example.org '])
      assert.equal(await change(other), undefined);
    assert.deepEqual(
      (await hashes()).filter((line) => line.endsWith('new hash')),
      ['dora@example.org new hash'],
    );
  });
});

onEveryEngine('stored settings', (database) => {
  test('a setting is undefined until it is set, and then has its last value', async () => {
    assert.equal(await selectSetting(database().read, 'set_up_at'), undefined);
    for (const value of ['1', '2']) {
      await database().write((transaction) => upsertSetting(transaction, 'set_up_at', value));
      assert.equal(await selectSetting(database().read, 'set_up_at'), value);
    }
    assert.equal(await selectSetting(database().read, 'last_probe'), undefined);
  });

  test('rows are counted as a number', async () => {
    assert.equal(await countRows(database().read, 'sites'), 0);
    await addSite(database());
    await addSite(database());
    assert.equal(await countRows(database().read, 'sites'), 2);
  });
});
