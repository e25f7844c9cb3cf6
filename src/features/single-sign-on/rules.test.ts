// Tests of the rules: which claims match, what several rules give together, and when an e-mail address counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSiteId } from '../../kernel/ids.ts';
import type { Claims } from './identity-provider.ts';
import { isIssuer } from './identity-provider.ts';
import { grantFor, type Rule, verifiedEmail } from './rules.ts';

const STRICT = { trustsEmail: false };
const rule = (claim: string, value: string, grant: Partial<Rule> = {}): Rule => ({
  id: `${claim} ${value}`,
  claim,
  value,
  role: 'operator',
  siteIds: [],
  ...grant,
});
const matches = (claims: Claims, claim: string, value: string) =>
  grantFor(claims, [rule(claim, value)], STRICT) !== undefined;

test('a rule matches a text, an item of a list, a number and a truth value', () => {
  assert.ok(matches({ hd: 'example.org' }, 'hd', 'example.org'));
  assert.ok(matches({ groups: ['a', 'desk'] }, 'groups', 'desk'));
  assert.ok(matches({ level: 3 }, 'level', '3'));
  assert.ok(matches({ staff: true }, 'staff', 'true'));
});

test('a rule matches nothing else: no part of a text, no other case, no missing claim', () => {
  assert.ok(!matches({ groups: ['desks'] }, 'groups', 'desk'));
  assert.ok(!matches({ groups: ['Desk'] }, 'groups', 'desk'));
  assert.ok(!matches({ groups: 'a desk' }, 'groups', 'desk'));
  assert.ok(!matches({}, 'groups', 'desk'));
  assert.ok(!matches({ groups: { desk: true } }, 'groups', 'desk'));
  assert.ok(!matches({ groups: [['desk']] }, 'groups', 'desk'));
  assert.ok(!matches({ groups: null }, 'groups', 'null'));
});

test('a claim may be nested, and its name may contain dots', () => {
  assert.ok(matches({ realm_access: { roles: ['desk'] } }, 'realm_access.roles', 'desk'));
  assert.ok(matches({ 'https://example.org/roles': ['desk'] }, 'https://example.org/roles', 'desk'));
  assert.ok(!matches({ roles: 'x' }, 'roles.length', '1'));
  assert.ok(!matches({}, 'constructor.name', 'Object'));
  assert.ok(!matches({ a: {} }, 'a.constructor.name', 'Object'));
});

test('an asterisk matches every value that is not empty', () => {
  assert.ok(matches({ sub: 'x' }, 'sub', '*'));
  assert.ok(!matches({ sub: '' }, 'sub', '*'));
  assert.ok(!matches({ groups: [] }, 'groups', '*'));
});

test('several rules give the higher role and all sites together', () => {
  const [one, two] = [asSiteId(1), asSiteId(2)];
  const rules = [
    rule('groups', 'b', { siteIds: [two, one] }),
    rule('groups', 'a', { siteIds: [one] }),
    rule('groups', 'it', { role: 'admin' }),
  ];
  assert.deepEqual(grantFor({ groups: ['a', 'b'] }, rules, STRICT), {
    role: 'operator',
    siteIds: [one, two],
    ruleIds: ['groups b', 'groups a'],
  });
  assert.deepEqual(grantFor({ groups: ['a', 'it'] }, rules, STRICT), {
    role: 'admin',
    siteIds: [],
    ruleIds: ['groups a', 'groups it'],
  });
  assert.equal(grantFor({ groups: ['c'] }, rules, STRICT), undefined);
  assert.equal(grantFor({ groups: ['a'] }, [], STRICT), undefined);
});

test('an e-mail address counts only if it is verified, or if the administrator trusts the provider', () => {
  const email = 'Ada@Example.org';
  assert.equal(verifiedEmail({ email, email_verified: true }, STRICT), 'ada@example.org');
  assert.equal(verifiedEmail({ email, email_verified: 'true' }, STRICT), 'ada@example.org');
  for (const email_verified of [false, undefined, null, 1, 'false', 'yes'])
    assert.equal(verifiedEmail({ email, email_verified }, STRICT), undefined);
  assert.equal(verifiedEmail({ email }, { trustsEmail: true }), 'ada@example.org');
  assert.equal(verifiedEmail({ preferred_username: email }, { trustsEmail: true }), 'ada@example.org');
  assert.equal(verifiedEmail({ preferred_username: email, email_verified: true }, STRICT), undefined);
  assert.ok(!matches({ email }, 'email', email));
  assert.ok(matches({ email, email_verified: true }, 'email', email));
  assert.ok(!matches({ preferred_username: email, email_verified: true }, 'email', email));
  for (const value of [email, '*'])
    assert.ok(grantFor({ preferred_username: email }, [rule('email', value)], { trustsEmail: true }));
});

test('an issuer is an https address; only on this machine it may be http', () => {
  for (const text of [
    'https://login.example.org',
    'https://a.b/realms/x/',
    'http://localhost:9',
    'http://[::1]:9',
  ])
    assert.ok(isIssuer(text), text);
  for (const text of [
    '',
    'login.example.org',
    'http://login.example.org',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
    'https://user@login.example.org',
    'https://login.example.org/?a=b',
    'https://login.example.org/.well-known/openid-configuration',
    'file:///etc/passwd',
  ])
    assert.ok(!isIssuer(text), text);
});
