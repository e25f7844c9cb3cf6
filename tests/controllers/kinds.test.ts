// Tests the descriptions of all kinds of controller: each is complete, and every language has words for it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FAILURE_CAUSES, publishedCause, readCause } from '../../src/kernel/controllers/controller.ts';
import {
  credentialOptions,
  hasFieldsOf,
  optionOf,
  secretsOf,
} from '../../src/kernel/controllers/controller-kind.ts';
import { KINDS } from '../../src/kernel/controllers/kinds.ts';
import { sitesDe } from '../../src/kernel/sites/site-texts-de.ts';
import { sitesEn } from '../../src/kernel/sites/site-texts-en.ts';

test('every kind has a name of its own, and credentials only if it has an address', () => {
  const names = KINDS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, hasAddress, credentials } of KINDS) {
    assert.match(name, /^[a-z][a-z0-9-]*$/);
    assert.notEqual(name, 'unknown');
    assert.equal(credentials.length > 0, hasAddress, name);
  }
});

test('fields of two kinds with the same name have the same option, and are both secret or not', () => {
  const fields = KINDS.flatMap(({ credentials }) => credentials);
  for (const field of fields)
    assert.ok(
      fields.every((other) => other.name !== field.name || other.isSecret === field.isSecret),
      field.name,
    );
});

for (const [language, { kinds }] of Object.entries({ de: sitesDe, en: sitesEn }))
  test(`the pages in "${language}" have words for every kind and every field`, () => {
    assert.deepEqual(Object.keys(kinds).sort(), KINDS.map(({ name }) => name).sort());
    for (const { name, credentials } of KINDS) {
      const fields = kinds[name]?.fields ?? {};
      assert.deepEqual(Object.keys(fields).sort(), credentials.map((field) => field.name).sort(), name);
      for (const field of credentials)
        assert.equal(fields[field.name]?.refused !== undefined, field.refuses !== undefined, field.name);
    }
  });

test('the reference of the command line has every kind and its credentials', () => {
  const reference = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  const connection = KINDS.filter(({ hasAddress }) => hasAddress).map(credentialOptions);
  assert.ok(reference.includes(`--controller ${KINDS.map(({ name }) => name).join('|')} `));
  assert.ok(reference.includes(`[${connection.join(' | ')}]`), connection.join(' | '));
});

test('options, secrets and the check of stored fields follow from the description', () => {
  const [unifi, classic] = KINDS;
  assert.ok(unifi && classic);
  assert.deepEqual(unifi.credentials.map(optionOf), ['api-key']);
  assert.equal(credentialOptions(classic), '--username NAME --password-file FILE');
  assert.deepEqual(secretsOf(classic, { username: 'anna', password: 'geheim' }), ['geheim']);
  assert.equal(hasFieldsOf(unifi, { apiKey: 'k' }), true);
  assert.equal(hasFieldsOf(unifi, {}), false);
  assert.equal(hasFieldsOf(unifi, { apiKey: 'k', account: 'a' }), false);
});

test('causes are stored and published under the names that the release before knows, and read under both', () => {
  for (const cause of FAILURE_CAUSES) {
    assert.equal(readCause(cause), cause);
    assert.equal(readCause(publishedCause(cause)), cause);
  }
  assert.deepEqual((['not-controller', 'api-missing', 'login'] as const).map(publishedCause), [
    'not-unifi',
    'no-integration-api',
    'login',
  ]);
  assert.equal(readCause('of a newer release'), null);
});
