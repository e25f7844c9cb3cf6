// The language in which a guest is addressed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseGuestLanguage, isLanguageTag } from './guest-language.ts';

test('a language tag may be of any language, but must be well-formed', () => {
  const tags = [
    'de',
    'DE-at',
    'en-GB',
    'zh-cmn-Hans-CN',
    'sl-rozaj-1994',
    'es-419',
    'de-u-co-phonebk',
    'x-own',
  ];
  assert.deepEqual(tags.filter(isLanguageTag), tags);
  const others = [
    '',
    'd',
    'de_AT',
    'de-',
    '-de',
    'de--AT',
    'de-u',
    'deutschland',
    'de AT',
    'de\n',
    'dé',
    '*',
    'de,en',
  ];
  assert.deepEqual([...others, `de-x${'-a'.repeat(60)}`].filter(isLanguageTag), []);
});

test('a guest reads the language that was asked for, otherwise the first language of the site', () => {
  assert.equal(chooseGuestLanguage('de-AT', ['en', 'de'], null), 'de');
  assert.equal(chooseGuestLanguage('EN-us', ['de'], 'de'), 'en');
  assert.equal(chooseGuestLanguage('fr-CH', ['en', 'de'], 'de'), 'en');
  assert.equal(chooseGuestLanguage(undefined, undefined, 'en'), 'en');
  assert.equal(chooseGuestLanguage('den', [], null), 'de');
});
