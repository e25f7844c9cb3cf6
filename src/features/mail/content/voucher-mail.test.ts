// The mail with a voucher: nothing is lost without images or HTML, and no value can break out of its place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH_MAIL, GERMAN_MAIL, HARD_MAIL } from '../../../../tests/support/sample-mails.ts';
import { renderVoucherMail } from './voucher-mail.ts';

const MAX_BYTES = 60_000;

/** What a reader sees without images. */
const readable = (html: string) =>
  html
    .replace(/<(style|title)>[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(
      /&(amp|lt|gt|quot|#39);/g,
      (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>' })[entity] ?? '"',
    )
    .replace(/\s+/g, ' ');

test('HTML and plain text contain the same facts, in the language of the guest', () => {
  for (const facts of [GERMAN_MAIL, ENGLISH_MAIL, HARD_MAIL]) {
    const { text, html, images } = renderVoucherMail(facts);
    const { code, siteName, wifi, steps, slipText, validity, guestPageUrl } = facts;
    const lines = [
      code,
      siteName,
      wifi?.name,
      wifi?.password,
      ...steps,
      ...slipText.split('\n'),
      ...validity,
    ];
    for (const line of lines.filter((one) => typeof one === 'string')) {
      assert.ok(text.includes(line), `text lacks ${line}`);
      assert.ok(readable(html).includes(line.replaceAll('\u00a0', ' ')), `HTML lacks ${line}`);
    }
    for (const part of [text, html]) assert.ok(part.includes(guestPageUrl ?? ''));
    assert.match(html, new RegExp(`^<!doctype html>\\n<html lang="${facts.language}">`));
    assert.ok(html.includes(`>${code}</p>`), 'the code is one piece of text');
    const size = images
      .filter(({ name }) => name === 'qr.png')
      .reduce((sum, { bytes }) => sum + bytes.length, 0);
    assert.ok(Buffer.byteLength(html) + Buffer.byteLength(text) + size < MAX_BYTES);
  }
  assert.equal(renderVoucherMail(GERMAN_MAIL).subject, 'Ihr WLAN-Zugang: Hotel Seeblick');
  assert.equal(renderVoucherMail(ENGLISH_MAIL).subject, 'Your Wi-Fi access: Hotel Seeblick');
});

test('a hostile name stays text: no tag, no header, no placeholder, no change of direction', () => {
  const { subject, text, html } = renderVoucherMail(HARD_MAIL);
  assert.match(subject, /^Donau\S+: <\/td><\/table><script>alert\(1\)<\/script> \{code\}\{site\} Bcc: /);
  for (const part of [subject, text, html]) assert.ok(!part.includes('\u202e'));
  assert.ok(!/[\r\n]/.test(subject));
  assert.equal([...subject].length, 200);
  assert.ok(
    html.includes('&lt;/td&gt;&lt;/table&gt;&lt;script&gt;alert(1)&lt;/script&gt; {code}{site} Bcc:'),
  );
  assert.ok(!html.includes('<script'));
  assert.ok(html.includes('&lt;b&gt;irgendeine&lt;/b&gt;'));
});

test('the images are attached, nothing is remote, and the mail says that a demo opens nothing', () => {
  const { html, images } = renderVoucherMail(HARD_MAIL);
  const sources = [...html.matchAll(/ src="([^"]*)"/g)].map(([, source]) => source);
  assert.deepEqual(
    sources,
    images.map(({ cid }) => `cid:${cid}`),
  );
  assert.deepEqual(
    images.map(({ name }) => name),
    ['logo.png', 'qr.png'],
  );
  assert.ok(!/url\(|@import|@font-face|<link/.test(html));
  for (const part of [html, renderVoucherMail(HARD_MAIL).text]) assert.ok(part.includes('Demo – ohne WLAN'));
  assert.ok(!renderVoucherMail(GERMAN_MAIL).text.includes('Demo'));
});

test('a mail of a site without Wi-Fi, steps, texts and guest page has the code and no empty part', () => {
  const { text, html } = renderVoucherMail({
    ...GERMAN_MAIL,
    texts: { ...GERMAN_MAIL.texts, greeting: 'Ihr {wifi}' },
    wifi: null,
    steps: [],
    slipText: '',
    guestPageUrl: null,
  });
  assert.ok(text.startsWith('Ihr WLAN\n\nIhr Code: 04827-15936\n'));
  assert.ok(!text.includes('\n\n\n'));
  assert.ok(html.includes('alt="QR-Code: Code übertragen"'));
  assert.ok(!/<p[^>]*><\/p>|undefined|null|false/.test(html));
});
