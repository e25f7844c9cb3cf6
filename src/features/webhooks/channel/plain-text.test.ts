// Tests hostile names in the messages of every platform: they mention no user, contain no markup and no links, do not
// change the structure of the payload, and stay readable.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Notification } from '../notification.ts';
import { PLATFORMS, type Platform } from '../webhook.ts';
import { toPlain } from './plain-text.ts';
import { toChatMessage } from './platforms.ts';

const hostile: [name: string, shown: string][] = [
  ['@everyone', '＠everyone'],
  ['@here', '＠here'],
  ['@channel', '＠channel'],
  ['@all', '＠all'],
  ['@\u200beveryone', '＠everyone'],
  ['ada@example.org', 'ada＠example.org'],
  ['<!channel>', '‹!channel›'],
  ['<!subteam^S123|x>', '‹!subteam^S123｜x›'],
  ['<@U123>', '‹＠U123›'],
  ['<@&123> <#123> <:x:1>', '‹＠&123› ‹＃123› ‹:x:1›'],
  ['<users/all>', '‹users/all›'],
  ['<at>Ada</at>', '‹at›Ada‹/at›'],
  ['&commat;channel', '＆commat;channel'],
  ['&#64;channel &#x40;all', '&＃64;channel &＃x40;all'],
  ['&lt;!channel&gt;', '＆lt;!channel＆gt;'],
  ['&amp;lt;!here&amp;gt;', '＆amp;lt;!here＆amp;gt;'],
  ['[gratis](https://evil.example)', '［gratis］(https:∕∕evil.example)'],
  ['![x](https://evil.example/x.png)', '!［x］(https:∕∕evil.example/x.png)'],
  ['<https://evil.example|Bank>', '‹https:∕∕evil.example｜Bank›'],
  ['https://evil.example', 'https:∕∕evil.example'],
  ['www.evil.example WWW.evil.example', 'www․evil.example WWW․evil.example'],
  ['**fett** *kursiv*', '∗∗fett∗∗ ∗kursiv∗'],
  ['__fett__ _kursiv_ my_key', '＿＿fett＿＿ ＿kursiv＿ my_key'],
  ['a__b__c', 'a＿＿b＿＿c'],
  ['~~weg~~ ~weg~', '∼∼weg∼∼ ∼weg∼'],
  ['||geheim||', '｜｜geheim｜｜'],
  ['`rm -rf` ```x```', 'ˋrm -rfˋ ˋˋˋxˋˋˋ'],
  ['# Titel', '＃ Titel'],
  ['A\n# Titel\n> Zitat\n- Liste', 'A ＃ Titel › Zitat - Liste'],
  ['\\*x\\*', '＼∗x＼∗'],
  ['"}],"x":[{"', '”}］,”x”:［{”'],
  [`'";{}[]()`, `'”;{}［］()`],
  ['A\r\n\r\nB\tC\u0000D\u001b[31mE', 'A B C D ［31mE'],
  ['A\u2028B\u2029C\u0085D', 'A B C D'],
  ['\u202egnp.exe\u202c \u2066x\u2069', 'gnp.exe x'],
  ['Ga\u200bst\u200d\ufeff\u00ad', 'Gast'],
  ['\u{e0041}\u{e0042}tag', 'tag'],
  ['Café 🎉 日本', 'Café 🎉 日本'],
  ['\ud83d allein \udc4d', '\ufffd allein \ufffd'],
  [`${'$'}{jndi:ldap://evil.example/a}`, `${'$'}{jndi:ldap:∕∕evil.example/a}`],
  ['<script>alert(1)</script><img src=x onerror=y>', '‹script›alert(1)‹/script›‹img src=x onerror=y›'],
  ['  A   B  ', 'A B'],
];

const notification = (names: Pick<Notification, 'siteName' | 'source'>): Notification => ({
  eventId: '2f6d8a52-1d0c-4c0e-9a54-0d6a5d1b7c11',
  kind: 'voucher.created',
  voucherCount: 1,
  ...names,
  occurredAtMs: 0,
});

/** Returns the visible text, and the payload with a placeholder in place of the text. */
function taken(names: Pick<Notification, 'siteName' | 'source'>, platform: Platform | null) {
  const { body } = toChatMessage(notification(names), platform);
  if (platform === 'ntfy') return { text: body, shape: '' };
  let text = '';
  const payload = JSON.parse(body, (key, value) => {
    if (typeof value !== 'string' || !['text', 'content'].includes(key)) return value;
    text = value;
    return 'the text';
  });
  return { text, shape: JSON.stringify(payload) };
}

/** Mentions, links, markup, entities, line breaks, invisible characters and lone surrogates. */
const DANGEROUS = /[<>@#*`~[\]|\\]|:\/\/|www\.|&\w+;|(?<!\w)_|_(?!\w)|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

for (const platform of [...PLATFORMS, null])
  describe(`in ${platform ?? 'a chat that is not known'}`, () => {
    const { shape } = taken({ siteName: 'Haus A', source: 'API: Theke' }, platform);
    for (const [name, shown] of hostile)
      test(`${JSON.stringify(name)} is harmless and readable`, () => {
        const made = taken({ siteName: name, source: `API: ${name}` }, platform);
        // Slack decodes &amp;; the text for Slack may contain no other entity.
        const text = platform === 'slack' ? made.text.replaceAll('&amp;', '&') : made.text;
        assert.equal(text, `🎫 Ein Voucher für "${shown}" von API: ${shown} erstellt.`);
        assert.doesNotMatch(text, DANGEROUS);
        assert.equal(made.shape, shape);
      });

    test('ten thousand characters are cut to two hundred, and no character is split', () => {
      const made = taken({ siteName: 'x'.repeat(10_000), source: `API: ${'🎫'.repeat(10_000)}` }, platform);
      const [long, emoji] = ['x'.repeat(199), '🎫'.repeat(194)];
      assert.equal(made.text, `🎫 Ein Voucher für "${long}…" von API: ${emoji}… erstellt.`);
      assert.ok(made.text.isWellFormed());
      assert.equal(made.shape, shape);
    });
  });

test('ordinary names stay unchanged', () => {
  const names = ["O'Brien & Co.", 'Haus_A-1/2', 'API: my_key', '100 % WLAN!', 'a=b; c:d'];
  for (const name of names) assert.equal(toPlain(name), name);
});

test('making a name harmless twice changes nothing more', () => {
  for (const [name] of hostile) assert.equal(toPlain(toPlain(name)), toPlain(name));
});
