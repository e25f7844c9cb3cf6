// The texts that an administrator writes for the mails of a site.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MAIL_TEXTS, fillMailText, issuesOfMailTexts, type MailTexts } from './custom-mail-text.ts';

const issuesOf = (texts: Partial<MailTexts>, wifiName = 'Gäste') =>
  issuesOfMailTexts({ ...DEFAULT_MAIL_TEXTS, ...texts }, wifiName);

test('texts with known placeholders, several lines, emoji and braces are accepted', () => {
  const greeting = 'Hallo {name} 👋,\n\n{wifi} gilt {until}. {site} { } {} {{name}}';
  assert.deepEqual(issuesOf({ subject: 'WLAN {site} für {name}', greeting, closing: 'ä'.repeat(1_000) }), []);
});

test('each text is refused with its reason, and an unknown placeholder with its name', () => {
  const reasonOf = (texts: Partial<MailTexts>, wifiName?: string) => {
    const [found, ...others] = issuesOf(texts, wifiName);
    assert.deepEqual(others, []);
    return found?.issue;
  };
  assert.deepEqual(issuesOf({ closing: 'Code: {code}' }), [
    { field: 'closing', issue: 'unknown-placeholder', placeholder: 'code' },
  ]);
  assert.equal(reasonOf({ greeting: '{wifi}' }, ''), 'no-wifi-name');
  assert.equal(reasonOf({ subject: 'x'.repeat(151) }), 'too-long');
  assert.equal(reasonOf({ greeting: 'x'.repeat(1_001) }), 'too-long');
  assert.equal(reasonOf({ closing: '\n'.repeat(15) }), 'too-many-lines');
  assert.equal(reasonOf({ subject: 'a\nBcc: b@example.org' }), 'line-break');
  assert.equal(reasonOf({ subject: 'a\rb' }), 'invisible');
  assert.equal(reasonOf({ greeting: 'a\u202eb' }), 'invisible');
  assert.equal(issuesOf({ subject: '{a}', greeting: '{b}', closing: '{c}' }).length, 3);
});

test('a value that looks like a placeholder or a replacement pattern is inserted as it is', () => {
  const values = { name: '{site} $&', site: '{name}', wifi: '{until}', until: '$1' };
  assert.equal(
    fillMailText('{name}|{site}|{wifi}|{until}|{code}', values),
    '{site} $&|{name}|{until}|$1|{code}',
  );
});
