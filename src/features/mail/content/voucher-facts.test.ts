// What a mail says about its voucher: from the slip, the texts and the logo of its site, in the guest's language.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePng } from '../../../../tests/support/pictures.ts';
import { asSiteId } from '../../../kernel/ids.ts';
import { DEFAULT_SETTINGS } from '../../../kernel/settings/settings.ts';
import { FIRST_SLIP, type SiteSlip } from '../../../kernel/slips/slip.ts';
import { makeWriteVoucherMail } from '../channel/write-voucher-mail.ts';
import type { MailedVoucher } from '../mail-content.ts';
import { findVoucherMailFacts, type MailSources } from './voucher-facts.ts';

const VOUCHER: MailedVoucher = {
  siteId: asSiteId(3),
  siteName: 'Haus am See',
  siteTimeZone: 'Pacific/Auckland',
  isDemo: false,
  code: '0482715936',
  name: '2026-11-18_Zimmer 12',
  maxUses: 2,
  usedCount: 0,
  expireMinutes: 480,
  downKbps: 10_000,
  upKbps: 0,
  quotaMb: 5_000,
  createdAtS: 0,
  firstUsedAtS: null,
  endedAtS: null,
  endsAtS: null,
};
const SLIP: SiteSlip = {
  ...FIRST_SLIP,
  wifiName: 'See $& Gäste',
  languages: ['de', 'en'],
  colour: '#0b6b5e',
};
const ENGLISH = { subject: 'Hi', greeting: '', closing: '' };

const sourcesOf = (slip: SiteSlip): MailSources => ({
  slips: { find: async () => slip },
  images: {
    find: async (name) => (name === 'logo' ? { type: 'image/png', bytes: makePng() } : undefined),
  },
  mailTexts: { find: async () => ({ en: ENGLISH }) },
  settings: { read: async () => DEFAULT_SETTINGS },
  timeZone: 'Europe/Berlin',
  clock: { nowMs: () => Date.parse('2026-11-18T12:00:00Z') },
});
const wanted = { guestPageUrl: null };

test('before the first use, the mail says how long the voucher lasts', async () => {
  const facts = await findVoucherMailFacts(VOUCHER, wanted, sourcesOf(SLIP));
  assert.equal(facts.until, '8 Stunden ab erster Nutzung');
  assert.deepEqual(facts.validity, [
    '8 Stunden ab erster Nutzung',
    'Für 2 Geräte',
    '↓\u00a010\u00a0Mbit/s, 5\u00a0GB',
  ]);
  assert.deepEqual([facts.name, facts.code], ['Zimmer 12', '04827-15936']);
  assert.equal(facts.steps[0], 'Mit WLAN „See $& Gäste“ verbinden');
  assert.equal(facts.wifi?.qrText, 'WIFI:T:nopass;S:See $& Gäste;;');
  assert.equal(facts.texts.subject, '');
  assert.ok(facts.logo);
});

test('an end is said in the language that was asked for and in the time zone of the site', async () => {
  const endsAtS = Date.parse('2026-11-19T22:00:00Z') / 1000;
  const facts = await findVoucherMailFacts(
    { ...VOUCHER, endsAtS },
    { language: 'en', guestPageUrl: 'https://wlan.example.org/g/x' },
    sourcesOf(SLIP),
  );
  assert.equal(facts.until.replaceAll('\u00a0', ' '), 'until Fri 20 Nov, 11:00');
  assert.equal(facts.validity[0]?.replaceAll('\u00a0', ' '), 'Valid until Fri 20 Nov, 11:00');
  assert.deepEqual(facts.texts, ENGLISH);
  assert.equal(facts.language, 'en');
});

test('a Wi-Fi whose password is not on the slip has no QR code, and a site without Wi-Fi none to name', async () => {
  const secret = await findVoucherMailFacts(VOUCHER, wanted, sourcesOf({ ...SLIP, wifiSecurity: 'wpa' }));
  assert.deepEqual(secret.wifi, { name: 'See $& Gäste', password: null, qrText: null });
  const { wifi, steps } = await findVoucherMailFacts(VOUCHER, wanted, sourcesOf(FIRST_SLIP));
  assert.equal(wifi, null);
  assert.equal(steps[0], 'Mit dem Gäste-WLAN verbinden');
});

test('a preview uses the texts that are not saved yet', async () => {
  const write = makeWriteVoucherMail(sourcesOf(SLIP));
  const saved = await write(VOUCHER, { ...wanted, language: 'en' });
  assert.deepEqual([saved.language, saved.content.subject], ['en', 'Hi']);
  const draft = { subject: '{name}: {until}', greeting: '', closing: '' };
  const { content } = await write(VOUCHER, { ...wanted, language: 'en', texts: { en: draft } });
  assert.equal(content.subject, 'Zimmer 12: for 8 hours from first use');
});
