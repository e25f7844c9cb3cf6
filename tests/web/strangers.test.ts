// Tests that two strangers never become one user: what a provider says about a user selects an account only if it is
// the same to the byte, and texts that a database would have to change are refused at every form.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { ROUTES } from '../../src/app/routes.ts';
import { dumpRecords } from '../support/disturb-records.ts';
import { openStrangers } from './open-strangers.ts';
import { pathOf } from './path-of.ts';
import { loggedIn, makeWebClient, PASSWORD } from './web-client.ts';

const { service, provider, setup, close, sessions, users, lastFailure, refuses, userOf } =
  await openStrangers();
after(close);
beforeEach(setup);

const LOOK_ALIKES = {
  'the Kelvin sign': '\u212Aarl@example.org',
  'a Kelvin sign in the domain': 'karl@example.or\u212A',
  'a dotless i': 'k\u0131m@example.org',
  'a dotted I': 'K\u0130M@example.org',
  'a long s': '\u017Fara@example.org',
  'full-width letters': '\uFF4Barl@example.org',
  'a full-width domain': 'karl@\uFF45xample.org',
  'a soft hyphen': 'ka\u00ADrl@example.org',
  'a soft hyphen in the domain': 'karl@exam\u00ADple.org',
  'a mark of direction': 'karl@example.org\u200E',
  'a dot after the domain': 'karl@example.org.',
  'a quoted local part': '"karl"@example.org',
  'a blank after it': 'karl@example.org ',
  'a line break': 'karl@example.org\n',
};
for (const [what, email] of Object.entries(LOOK_ALIKES))
  test(`a verified address with ${what} opens no account, and waits for an administrator`, async () => {
    const page = await refuses({ sub: `id of ${what}`, email }, 'email-unusable');
    assert.match(page, /enthält unzulässige Zeichen oder gehört/);
    const [row] = service.rows('select user_id from identities where subject = ?', `id of ${what}`);
    assert.equal(row?.user_id, null);
  });

test('a plain address in other letters of the same case is the same account, a plus address another', async () => {
  const karl = users().find(({ email }) => email === 'karl@example.org')?.id;
  provider.falsify({ claims: {} });
  service.change("update users set role = 'operator' where email = 'karl@example.org'");
  assert.equal(await userOf({ sub: 'karl', email: 'KARL@Example.org' }), Number(karl));
  assert.notEqual(await userOf({ sub: 'karl+x', email: 'karl+x@example.org' }), Number(karl));
});

for (const [name, value] of Object.entries({
  email: 'karl@example.org\0',
  name: 'Karl\0',
  preferred_username: 'karl\0',
  groups: ['desk', 'other\0'],
}))
  test(`the claim ${name} with a NUL or too many characters refuses the login`, async () => {
    await refuses({ sub: 'new', [name]: value }, 'claims-refused');
    assert.equal(lastFailure()?.detail, `the claim ${name} contains a NUL character or half a character`);
    const long = 'x'.repeat(256);
    await refuses({ sub: 'new', [name]: name === 'groups' ? ['desk', long] : long }, 'claims-refused');
    assert.equal(lastFailure()?.detail, `the claim ${name} is longer than 255 characters`);
  });

test('a group with a NUL does not match the rule for the group without it', async () => {
  await refuses({ sub: 'new', groups: ['desk\0'] }, 'claims-refused');
});

test('a subject that is a number, and an issuer with another slash, are refused', async () => {
  await refuses({ sub: 1 }, 'token-refused');
  await refuses({ iss: `${provider.issuer}/` }, 'token-refused');
});

test('an address that no provider can select keeps its password, also in the other case of its letters', async () => {
  const [row] = service.rows("select password_hash from users where email = 'kim@example.org'");
  for (const email of ['özgür@example.org', 'lea@münchen.de', 'a\u00adb@example.org'])
    service.change(
      "insert into users (email, name, role, password_hash, active, created_at_ms) values (?, 'x', 'operator', ?, 1, 1)",
      email,
      String(row?.password_hash),
    );
  for (const typed of [
    'özgür@example.org',
    'Özgür@Example.org',
    'lea@münchen.de',
    'Lea@MÜNCHEN.de',
    'a\u00adb@example.org',
  ])
    await loggedIn(service, typed);
  await refuses({ sub: 'o', email: 'özgür@example.org' }, 'email-unusable');
  // The provider writes the domain in either form; the account has only the first.
  await refuses({ sub: 'l', email: 'lea@münchen.de' }, 'email-unusable');
  await refuses({ sub: 'l', email: 'lea@xn--mnchen-3ya.de' }, 'email-unusable');
  assert.equal((await makeWebClient(service).login('lea@xn--mnchen-3ya.de')).status, 401);
});

test('an international domain is stored as ASCII, and both forms of it sign in', async () => {
  const id = await userOf({ sub: 'mia', email: 'Mia@zürich.ch' });
  assert.equal(users().find((user) => user.id === id)?.email, 'mia@xn--zrich-kva.ch');
  assert.equal(await userOf({ sub: 'mia of another client', email: 'mia@xn--zrich-kva.ch' }), id);
  const [row] = service.rows("select password_hash from users where email = 'kim@example.org'");
  service.change('update users set password_hash = ? where id = ?', String(row?.password_hash), id);
  for (const typed of ['mia@zürich.ch', 'MIA@ZÜRICH.CH', 'mia@xn--zrich-kva.ch'])
    await loggedIn(service, typed);
});

test('all ways to write an address share one login throttle', async () => {
  for (const typed of [
    'mia@zürich.ch',
    'MIA@zürich.ch',
    'mia@ZÜRICH.ch',
    'mia@xn--zrich-kva.ch',
    'Mia@XN--zrich-kva.ch',
  ])
    assert.equal((await makeWebClient(service).login(typed, 'falsch')).status, 401);
  for (const typed of ['mia@zürich.ch', 'mia@xn--zrich-kva.ch'])
    assert.equal((await makeWebClient(service).login(typed, PASSWORD)).status, 429, typed);
});

test('a NUL in the address of a login is refused, and is not the account without it', async () => {
  const before = sessions();
  const page = await makeWebClient(service).login('kim@example.org\0');
  assert.equal(page.status, 400);
  assert.match(page.text, /nicht gespeichert werden kann/);
  assert.equal(sessions(), before);
  assert.equal(service.logLines.findLast(({ msg }) => msg === 'page refused')?.level, 'warn');
});

test('whatever form or query contains a NUL: it is refused or kept, never removed', async () => {
  const admin = await loggedIn(service, 'kim@example.org');
  const things = {
    site: 1,
    user: 1,
    batch: 'x',
    voucher: 1,
    key: 'x',
    profile: 1,
    webhook: 1,
    delivery: 1,
    mail: 1,
    printer: 1,
    screen: 1,
    request: 1,
    rolling: 1,
  };
  const left = ['/logout', '/users/:user/remove', '/users/:user/off'];
  const names = [
    ...[
      'name',
      'email',
      'note',
      'title',
      'text',
      'url',
      'label',
      'claim',
      'value',
      'issuer',
      'client-id',
      'scopes',
    ],
    ...[
      'q',
      'code',
      'network',
      'wifi-name',
      'wifi-password',
      'password',
      'username',
      'secret',
      'api-key',
      'from',
    ],
    ...[
      'language',
      'action',
      'who',
      'until',
      'next',
      'controller-site',
      'fingerprint',
      'contact',
      'once',
      'id',
    ],
  ];
  const fields = Object.fromEntries(names.map((name) => [name, 'zu\0sammen']));
  const choices = {
    role: 'admin',
    scope: 'read',
    limit: '0',
    sites: 'all',
    site: '1',
    count: '1',
    'site-1': '1',
  };
  for (const route of ROUTES) {
    if (left.includes(route.path)) continue;
    const path = pathOf(route, {
      ...things,
      revocation: 'zu%00sammen',
      replacement: 'zu%00sammen',
      token: 'zu%00sammen',
      image: 'x',
    });
    const query = new URLSearchParams(fields);
    const page =
      route.method === 'GET'
        ? await admin.get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
        : await admin.post(path, { ...choices, ...fields });
    assert.ok(page.status < 500, `${route.method} ${route.path}: ${page.status}`);
  }
  assert.doesNotMatch(dumpRecords(service), /zusammen|zu\ufffdsammen/);
});
