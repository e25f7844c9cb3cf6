// Tests that both engines keep every text exactly or refuse it: no store removes or replaces a character, and no
// comparison treats two different texts as equal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeIdentityStore } from '../../src/features/single-sign-on/identity-store.ts';
import { makeLoginThrottleStore } from '../../src/kernel/sessions/session-store.ts';
import { makeUserStore } from '../../src/kernel/users/user-store.ts';
import { UnstorableText } from '../../src/platform/text/storable-text.ts';
import { TESTER } from '../support/actors.ts';
import { NO_MAILS } from '../support/no-mails.ts';
import { copied } from '../support/tables.ts';
import { onEveryEngine } from './engines.ts';

const UNSTORABLE = ['victim\0', '\0victim', 'vic\0tim', 'victim\ud800', '\udc00victim', '\0'];
const at = { atMs: 5, ip: '192.0.2.1' };
const audit = { actor: TESTER, atMs: 5 };
const OPERATOR = { role: 'operator' as const, siteIds: [], ruleIds: [] };
const identity = (subject: string, verifiedEmail?: string) => ({
  issuer: 'https://login.example.org',
  subject,
  verifiedEmail,
  shownEmail: verifiedEmail ?? '',
  name: 'x',
});

onEveryEngine('exact text', (database) => {
  const identities = () => makeIdentityStore(database());
  const users = () => makeUserStore(database(), NO_MAILS);

  test('every text column of every table refuses a text that it would have to change', async () => {
    let columns = 0;
    for (const table of copied.keys())
      for (const column of await textColumnsOf(table)) {
        columns++;
        const name = sql.ref(column);
        for (const text of ['a\0', '\ud800']) {
          const write = sql`update ${sql.table(table)} set ${name} = ${text}`;
          await assert.rejects(
            database().write((t) => write.execute(t)),
            UnstorableText,
            `${table}.${column}`,
          );
          const read = sql`select 1 from ${sql.table(table)} where ${name} = ${text}`;
          await assert.rejects(read.execute(database().read), UnstorableText, `${table}.${column}`);
        }
      }
    assert.ok(columns > 80, `only ${columns} text columns`);
  });

  async function textColumnsOf(table: string): Promise<string[]> {
    const tables = await database().read.introspection.getTables();
    const found = tables.find(({ name }) => name === table);
    assert.ok(found, table);
    return found.columns.filter(({ dataType }) => /text/i.test(dataType)).map(({ name }) => name);
  }

  test('a text with any other character is stored and found exactly', async () => {
    const subjects = [
      ...[
        'Victim',
        'victim ',
        ' victim',
        'victim\t',
        'victim\n',
        'vi\u0001ctim',
        'v\u0131ctim',
        'V\u0130CTIM',
      ],
      ...[
        '\u00e9',
        'e\u0301',
        '\u212A',
        'k',
        'K',
        '\ufffd',
        '\uffff',
        '\ufeff',
        '😀',
        '\u202e',
        '\u00ad',
        'a\u00adb',
        'ab',
      ],
      ...['ss', 'ß', 'ﬁ', 'fi', '1', '01', '١', "'", '\\', '%', '_', 'victim'],
    ];
    const ids = new Map<string, number>();
    for (const [index, subject] of subjects.entries()) {
      const admitted = await identities().admit(identity(subject, `s${index}@example.org`), OPERATOR, at);
      assert.ok(admitted.ok, JSON.stringify(subject));
      ids.set(subject, admitted.value.id);
    }
    assert.equal(new Set(ids.values()).size, subjects.length, 'two subjects are one user');
    for (const [subject, id] of ids) {
      const again = await identities().admit(identity(subject), OPERATOR, at);
      assert.equal(again.ok && again.value.id, id, JSON.stringify(subject));
    }
    const rows = await database().read.selectFrom('identities').select('subject').execute();
    assert.deepEqual(new Set(rows.map(({ subject }) => subject)), new Set(subjects));
  });

  test('issuers that differ in a slash or in case are different issuers', async () => {
    const issuers = [
      'https://one.example',
      'https://one.example/',
      'https://One.example',
      'https://one.example//',
    ];
    const found = await Promise.all(
      issuers.map((issuer, index) =>
        identities().admit({ ...identity('same', `i${index}@example.org`), issuer }, OPERATOR, at),
      ),
    );
    assert.equal(new Set(found.map((one) => one.ok && one.value.id)).size, issuers.length);
  });

  test('a subject with a NUL or a lone surrogate is nobody, and leaves no trace', async () => {
    const before = await database().read.selectFrom('identities').selectAll().execute();
    for (const subject of UNSTORABLE) {
      await assert.rejects(
        identities().admit(identity(subject, 'victim@example.org'), OPERATOR, at),
        UnstorableText,
      );
      await assert.rejects(identities().refuse(identity(subject), at), UnstorableText);
    }
    assert.deepEqual(await database().read.selectFrom('identities').selectAll().execute(), before);
    assert.equal(await users().findByEmail('victim@example.org'), undefined);
  });

  test('an address is found by its own bytes, and failed logins count for it alone', async () => {
    const add = (email: string) =>
      users().add({ email, name: 'x', role: 'operator', passwordHash: 'x', createdAtMs: 1 }, audit);
    const id = await add('Karl@Example.org');
    assert.equal((await users().findByEmail('KARL@example.ORG'))?.id, id);
    for (const other of [
      '\u212Aarl@example.org',
      'karl@example.org.',
      'k\u00adarl@example.org',
      'karl@example.or\u212A',
    ])
      assert.equal(await users().findByEmail(other), undefined, other);
    await assert.rejects(users().findByEmail('karl@example.org\0'), UnstorableText);
    for (const wrong of ['\u212Aarl@example.org', 'müller@example.org', 'karl@example.org.', 'karl'])
      await assert.rejects(add(wrong), /plain ASCII/, wrong);
    assert.equal(await add('karl@EXAMPLE.org'), undefined, 'taken');
    const throttle = makeLoginThrottleStore(database());
    await throttle.noteFailure('account', '\u212Aarl@example.org', 5);
    assert.equal(await throttle.find('account', 'karl@example.org'), undefined);
  });

  test('an account of an earlier release stays apart from the same address in another form', async () => {
    const insert = (email: string) =>
      database()
        .write((t) =>
          t
            .insertInto('users')
            .values({ email, name: 'x', role: 'operator', password_hash: 'x', created_at_ms: 1 })
            .returning('id')
            .executeTakeFirstOrThrow(),
        )
        .then((row) => row.id);
    const old = await insert('emma@münchen.de');
    const plain = 'emma@xn--mnchen-3ya.de';
    const refused = await identities().admit(identity('emma', plain), OPERATOR, at);
    assert.deepEqual(refused, { ok: false, problem: { kind: 'email-unusable' } });
    const user = { email: plain, name: 'x', role: 'operator' as const, passwordHash: 'x', createdAtMs: 1 };
    assert.equal(await users().add(user, audit), undefined, 'taken');
    assert.equal((await users().findByEmail('Emma@MÜNCHEN.de'))?.id, old);
    assert.equal(await users().findByEmail(plain), undefined);

    // Both exist: each is found by its own form, and the provider links the plain one.
    const twin = await insert(plain);
    assert.equal((await users().findByEmail('emma@münchen.de'))?.id, old);
    assert.equal((await users().findByEmail(plain))?.id, twin);
    const linked = await identities().admit(identity('emma', plain), OPERATOR, at);
    assert.equal(linked.ok && linked.value.id, twin);
  });

  test('the address of a user can be changed, but not to one that is taken', async () => {
    const { id } = (await users().findByEmail('emma@münchen.de')) ?? assert.fail();
    for (const taken of ['emma@xn--mnchen-3ya.de', 'karl@example.org'])
      assert.equal(await users().changeEmail(id, taken, audit), 'taken');
    assert.equal(await users().changeEmail(id, 'emma.m@example.org', audit), 'changed');
    assert.equal((await users().findByEmail('emma.m@example.org'))?.id, id);
    assert.equal((await users().findByEmail('emma@xn--mnchen-3ya.de'))?.id === id, false);
    const [entry] = await database()
      .read.selectFrom('audit')
      .selectAll()
      .where('action', '=', 'user.changed')
      .execute();
    assert.equal(entry?.subject, `user ${id} (emma@münchen.de): {"email":"emma.m@example.org"}`);
  });
});
