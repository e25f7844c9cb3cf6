// Tests `gastpass users …`: adding, listing, disabling and removing users, passwords from a file, from standard input
// or generated, and removing a second factor.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { isPassword } from '../../src/kernel/users/password.ts';
import { TESTER } from '../support/actors.ts';
import { openRecords, readRecords } from '../support/engine.ts';
import { type Ended, makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

const MADE_PASSWORD = /^([a-z2-9]{5}-){3}[a-z2-9]{5}\n$/;
const gastpass = (words: string[], input?: string): Promise<Ended> =>
  runGastpass(words, { dataDir, ...(input !== undefined && { input }) });
const add = (email: string, ...more: string[]) => [
  'users',
  'add',
  '--email',
  email,
  '--name',
  'Ada',
  ...more,
];
const reset = (email: string, ...more: string[]) => ['users', 'reset-password', '--email', email, ...more];

function hashOf(email: string): string {
  return String(
    readRecords(dataDir, 'select password_hash as hash from users where email = ?', email)[0]?.hash,
  );
}

before(async () => {
  await makeDatabase(dataDir);
  const { stdout } = await gastpass(['users', 'list']);
  assert.match(stdout, /^Nobody yet. Add somebody: gastpass users add/);
});

test('without a password file, a password is generated, stored and printed alone', async () => {
  const { code, stdout, stderr } = await gastpass(add('ada@example.org', '--admin'));
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.match(stdout, MADE_PASSWORD);
  assert.ok(await isPassword(stdout.trimEnd(), hashOf('ada@example.org')));
});

test('a password is read from a file without its line ending, and not printed', async () => {
  const file = join(dataDir, 'password.txt');
  writeFileSync(file, ' mit Leerzeichen am Anfang\r\n');
  const { code, stdout, stderr } = await gastpass(add('file@example.org', '--password-file', file));
  assert.deepEqual([code, stdout], [0, '']);
  assert.match(stderr, /^gastpass: warning: file@example.org has no site yet/);
  assert.ok(await isPassword(' mit Leerzeichen am Anfang', hashOf('file@example.org')));
});

test('a password is read from standard input, and not printed', async () => {
  const words = add('stdin@example.org', '--password-file', '-', '--json');
  const { code, stdout } = await gastpass(words, 'von der Eingabe\n');
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), { email: 'stdin@example.org' });
  assert.ok(await isPassword('von der Eingabe', hashOf('stdin@example.org')));
});

test('a password that is easy to guess is refused with a reason, and nobody is added or changed', async () => {
  const common = await gastpass(add('weak@example.org', '--password-file', '-'), 'Passwort2024!');
  assert.equal(common.code, 2);
  assert.match(
    common.stderr,
    /^gastpass: this password is among the first that attackers try; better: .*\n$/,
  );
  assert.equal(hashOf('weak@example.org'), 'undefined');
  const before = hashOf('stdin@example.org');
  const own = await gastpass(reset('stdin@example.org', '--password-file', '-'), 'stdin-gastpass-1');
  assert.match(own.stderr, /^gastpass: this password is made of the name, the address/);
  assert.deepEqual([own.code, hashOf('stdin@example.org')], [2, before]);
});

test('an e-mail address belongs to one user only, regardless of case', async () => {
  await gastpass(add('twice@example.org'));
  const before = hashOf('twice@example.org');
  const { code, stdout, stderr } = await gastpass(add('Twice@Example.org'));
  assert.match(stderr, /already a user with the e-mail address twice@example.org/);
  assert.equal(stdout, '');
  assert.equal(code, 1);
  assert.equal(hashOf('twice@example.org'), before);
});

test('reset-password sets a new password, and the old one no longer works', async () => {
  const first = await gastpass(add('reset@example.org'));
  const second = await gastpass(reset('RESET@example.org', '--json'));
  assert.equal(second.code, 0);
  const { email, password } = JSON.parse(second.stdout);
  assert.equal(email, 'reset@example.org');
  assert.ok(await isPassword(password, hashOf('reset@example.org')));
  assert.equal(await isPassword(first.stdout.trimEnd(), hashOf('reset@example.org')), false);

  const third = await gastpass(reset('reset@example.org', '--password-file', '-'), 'selbst gewählt');
  assert.deepEqual([third.code, third.stdout, third.stderr], [0, '', '']);
  assert.ok(await isPassword('selbst gewählt', hashOf('reset@example.org')));
});

test('reset-password fails for an unknown user', async () => {
  const { code, stdout, stderr } = await gastpass(reset('nobody@example.org'));
  assert.match(stderr, /no user with the e-mail address nobody@example.org; see gastpass users list/);
  assert.equal(stdout, '');
  assert.equal(code, 1);
});

test('remove-second-factor also deletes the recovery codes, is audited, and fails the second time', async () => {
  const remove = (email: string) => gastpass(['users', 'remove-second-factor', '--email', email]);
  const config = await configOf(dataDir);
  const { users, secondFactors, close } = await openInstallation(config);
  const user = await users.findByEmail('ada@example.org');
  assert.ok(user);
  const factor = { secret: 'GEZDGNBV', step: 1, codeHashes: ['hash'] };
  await secondFactors.turnOn(user, factor, { actor: TESTER, atMs: 1 });
  await close();

  const removed = await remove('Ada@Example.org');
  assert.deepEqual([removed.code, removed.stdout, removed.stderr], [0, '', '']);
  for (const table of ['second_factors', 'recovery_codes'])
    assert.deepEqual(readRecords(dataDir, `select * from ${table}`), []);
  const [entry] = readRecords(dataDir, 'select * from audit order by id desc limit 1');
  assert.equal(entry?.action, 'user.second-factor-removed');
  assert.match(String(entry?.actor), /^CLI: /);

  const again = await remove('ada@example.org');
  assert.match(again.stderr, /ada@example.org has no second factor/);
  assert.equal(again.code, 1);
});

test('unlock forgets the failed logins of one user, is audited, and fails for an unknown user', async () => {
  const unlock = (email: string) => gastpass(['users', 'unlock', '--email', email]);
  const config = await configOf(dataDir);
  const { loginThrottle, close } = await openInstallation(config);
  for (const kind of ['account', 'account-total'] as const)
    await loginThrottle.noteFailure(kind, 'ada@example.org', 1);
  for (const email of ['ada@example.org', 'bada@example.org']) {
    await loginThrottle.noteFailure('account-network', `${email} 192.0.2.1`, 1);
    await loginThrottle.noteFailure('account-prefix', `${email} 2001:db8::/48`, 1);
    for (const kind of ['device', 'device-code'] as const)
      await loginThrottle.noteFailure(kind, `${email} id`, 1);
  }
  await close();
  const { code, stderr } = await unlock('Ada@Example.org');
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(
    readRecords(dataDir, 'select subject from sign_in_failures order by subject').map(
      ({ subject }) => subject,
    ),
    [
      'account-network bada@example.org 192.0.2.1',
      'account-prefix bada@example.org 2001:db8::/48',
      'device bada@example.org id',
      'device-code bada@example.org id',
    ],
  );
  const [entry] = readRecords(dataDir, 'select * from audit order by id desc limit 1');
  assert.deepEqual([entry?.action, entry?.subject], ['user.unlocked', 'user 1 (ada@example.org)']);
  assert.equal((await unlock('nobody@example.org')).code, 1);
});

test('disable ends the access of a user, enable restores it, and remove deletes the person', async () => {
  const order = (verb: string, email: string) =>
    gastpass(['users', verb, '--email', email, ...(verb === 'remove' ? ['--yes'] : [])]);
  const state = (email: string) => readRecords(dataDir, 'select active from users where email = ?', email);
  await gastpass(add('leaver@example.org'));
  for (const [verb, active] of [
    ['disable', 0],
    ['disable', 0],
    ['enable', 1],
  ] as const) {
    const { code, stdout, stderr } = await order(verb, 'Leaver@Example.org');
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
    assert.partialDeepStrictEqual(state('leaver@example.org'), [{ active }]);
  }
  const asked = await gastpass(['users', 'remove', '--email', 'leaver@example.org']);
  assert.equal(asked.code, 1);
  assert.match(
    asked.stderr,
    /would be removed for good: gastpass users remove --email leaver@example.org --yes/,
  );
  assert.partialDeepStrictEqual(state('leaver@example.org'), [{ active: 1 }]);
  const words = ['users', 'remove', '--email', 'leaver@example.org', '--yes'];
  assert.equal((await runGastpass(words, { dataDir, environment: { SUDO_USER: 'anna' } })).code, 0);
  assert.deepEqual(state('leaver@example.org'), []);
  const [entry] = readRecords(dataDir, 'select * from audit order by id desc limit 1');
  assert.equal(entry?.actor, 'CLI: anna', 'the audit log names the user who called sudo');
  assert.match(`${entry?.action} ${entry?.subject}`, /^user\.removed user \d+ \(leaver@example\.org\)$/);

  for (const verb of ['disable', 'enable', 'remove']) {
    const { code, stderr } = await order(verb, 'leaver@example.org');
    assert.equal(code, 1);
    assert.match(stderr, /no user with the e-mail address leaver@example.org/);
  }
  for (const verb of ['disable', 'remove']) {
    const { code, stderr } = await order(verb, 'ada@example.org');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^gastpass: ada@example.org is the last active administrator; .*gastpass users add .* --admin\n$/,
    );
  }
  assert.partialDeepStrictEqual(state('ada@example.org'), [{ active: 1 }]);
});

test('users are listed with their role and without their password hash', async () => {
  const [table, json] = await Promise.all([
    gastpass(['users', 'list']),
    gastpass(['users', 'list', '--json']),
  ]);
  assert.match(
    table.stdout,
    /^EMAIL +NAME +ROLE +ACTIVE +CREATED_AT\nada@example\.org +Ada +admin +yes +\d{4}-/,
  );
  const users: Record<string, unknown>[] = JSON.parse(json.stdout);
  assert.deepEqual(users.map(({ email, role }) => [email, role]).slice(0, 2), [
    ['ada@example.org', 'admin'],
    ['file@example.org', 'operator'],
  ]);
  for (const user of users)
    assert.deepEqual(Object.keys(user), ['email', 'name', 'role', 'active', 'created_at']);
});

test('change-email gives a user another address, but not one that is taken or not plain', async () => {
  const changeEmail = (from: string, to: string) =>
    gastpass(['users', 'change-email', '--email', from, '--new-email', to]);
  await gastpass(add('old@example.org'));
  const hash = hashOf('old@example.org');
  const taken = await changeEmail('old@example.org', 'ADA@example.org');
  assert.deepEqual(
    [taken.code, taken.stderr],
    [1, 'gastpass: there is already a user with the e-mail address ada@example.org\n'],
  );
  for (const odd of ['müller@example.org', '\u212Aarl@example.org', 'new@example.org.'])
    assert.match(
      (await changeEmail('old@example.org', odd)).stderr,
      /--new-email: expected an e-mail address of plain ASCII/,
    );
  assert.equal((await changeEmail('OLD@example.org', 'New@zürich.ch')).code, 0);
  assert.equal(hashOf('new@xn--zrich-kva.ch'), hash);
  assert.equal((await changeEmail('old@example.org', 'x@example.org')).code, 1);
  assert.match(
    (await gastpass(add('\u212Aarl@example.org'))).stderr,
    /--email: expected an e-mail address of plain ASCII/,
  );
});

test('commands find an account of an earlier release by its address', async () => {
  const installation = await openInstallation(await configOf(dataDir));
  const user = { name: 'M', role: 'operator' as const, passwordHash: '-', createdAtMs: 0 };
  const id = await installation.users.add({ ...user, email: 'm@example.org' }, { actor: TESTER, atMs: 0 });
  await installation.close();
  const records = openRecords(dataDir);
  records.change('update users set email = ? where id = ?', 'müller@example.org', Number(id));
  records.close();
  assert.match((await gastpass(reset('MÜLLER@example.org'))).stdout, MADE_PASSWORD);
  assert.notEqual(hashOf('müller@example.org'), '-');
  const to = ['--new-email', 'mueller@example.org'];
  assert.equal((await gastpass(['users', 'change-email', '--email', 'müller@example.org', ...to])).code, 0);
  assert.notEqual(hashOf('mueller@example.org'), 'undefined');
});
