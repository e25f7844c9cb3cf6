// Tests the two stored forms of audit details: JSON, and the text that earlier releases parse.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AuditAction,
  type DetailsOf,
  readAuditDetails,
  siteDetails,
  toAuditText,
  userDetails,
} from './audit-details.ts';
import { readAuditSubject } from './audit-subject.ts';

const site = siteDetails(2, 'Haus A');
const user = userDetails({ id: 5, email: 'ben@example.org' });
const aboutUser: [text: string, details: typeof user] = ['user 5 (ben@example.org)', user];
const webhook = { webhook: { id: '3', name: 'Kasse' } };
const screen = { screen: { id: '4', name: 'Lobby' }, ...site };
const printer = { printer: { id: '3', name: 'Rezeption' }, ...site };
const profile = { profile: { id: '3', name: 'Tag & Nacht' } };
const key = { key: { id: 'k1', name: 'Kasse' } };
const mailed = { voucher: '9', ...site, name: 'a…@example.org' };
const batch = { batch: { id: '0-1', name: 'Tagung' } };

/** Does not compile if an action is missing. */
const SAMPLES: { [Action in AuditAction]: [text: string, details: DetailsOf[Action]][] } = {
  'voucher.created': [
    ['voucher 9 of site 2 (Haus A): Zimmer 4', { voucher: '9', ...site, name: 'Zimmer 4' }],
    ['batch 0-1 of site 2 (Haus A): 60 vouchers, Tagung', { ...batch, ...site, count: 60 }],
    ['batch 0-1 of site 2 (Haus A): Tagung', { ...batch, ...site, count: 1 }],
  ],
  'voucher.revoked': [['voucher 9 of site 2 (Haus A)', { voucher: '9', ...site }]],
  'voucher.link-made': [['voucher 9 of site 2 (Haus A)', { voucher: '9', ...site }]],
  'voucher.link-renewed': [['voucher 9 of site 2 (Haus A)', { voucher: '9', ...site }]],
  'voucher.link-withdrawn': [['voucher 9 of site 2 (Haus A)', { voucher: '9', ...site }]],
  'voucher.mailed': [['voucher 9 of site 2 (Haus A): a…@example.org', mailed]],
  'voucher.mail-resent': [['voucher 9 of site 2 (Haus A): a…@example.org', mailed]],
  'voucher.disconnected': [['voucher 9 of site 2 (Haus A): devices: 3', { voucher: '9', ...site, count: 3 }]],
  'voucher.replaced': [['site 2 (Haus A): 65 vouchers, lost', { ...site, count: 65 }]],
  'voucher.loss-noted': [['site 2 (Haus A): 1 vouchers, lost', { ...site, count: 1 }]],
  'voucher.not-created': [['3 of site 2 (Haus A): busy', { ...site, count: 3, cause: 'busy' }]],
  'voucher.not-revoked': [['1 of site 2 (Haus A): away', { ...site, count: 1, cause: 'away' }]],
  'voucher.printed': [
    ['vouchers 9', { voucher: '9' }],
    ['vouchers 1, 2', { vouchers: ['1', '2'], count: 2 }],
    ['vouchers 1, 2 and 5 more', { vouchers: ['1', '2'], count: 7 }],
  ],
  'voucher.saved': [['batch 0-1 of site 2 (Haus A): 60 vouchers, Tagung', { ...batch, ...site, count: 60 }]],
  'voucher.sent-to-printer': [
    ['voucher 9 of site 2 (Haus A): Rezeption', { voucher: '9', ...printer, isCopy: true }],
    ['site 2 (Haus A): 7 vouchers, Rezeption', { vouchers: ['1', '2'], count: 7, ...printer }],
  ],
  'voucher.exported': [['vouchers: 12', { count: 12 }]],
  'audit.exported': [['entries: 5', { count: 5 }]],
  'site.added': [['site 2 (Haus A)', site]],
  'site.certificate-confirmed': [
    ['site 2 (Haus A): CD:EF', { ...site, changes: { certificateBefore: 'AB:CD', certificateNow: 'CD:EF' } }],
  ],
  'site.requests-on': [['site 2 (Haus A)', site]],
  'site.requests-off': [['site 2 (Haus A)', site]],
  'site.requests-renewed': [['site 2 (Haus A)', site]],
  'site.requests-mail-changed': [['site 2 (Haus A)', site]],
  'site.requests-shown': [['site 2 (Haus A)', site]],
  'request.approved': [['request 7 of site 2 (Haus A)', { request: '7', ...site }]],
  'request.declined': [['request 7 of site 2 (Haus A)', { request: '7', ...site }]],
  'site.changed': [['site 2 (Haus A): name, activated', { ...site, fields: ['name', 'activated'] }]],
  'site.reserve-changed': [
    ['site 2 (Haus A): 20', { ...site, changes: { reserve: 20, reserveProfile: 'Tag' } }],
  ],
  'site.removed': [
    ['site 2 (Haus A)', site],
    ['site 2 (Haus A): vouchers: 12, batches: 0', { ...site, counts: { vouchers: 12, batches: 0 } }],
    [
      'site 2 (Haus A): printers: 1, mailTexts: 2',
      { ...site, counts: { printers: 1, mailTexts: 2 }, names: { printers: ['Bar (x): 1'] } },
    ],
  ],
  'slip.changed': [['2: Gäste', { ...siteDetails(2, ''), name: 'Gäste' }]],
  'user.added': [
    ['user 5 (ben@example.org)', user],
    ['user 5 (ben@example.org): admin', { ...user, changes: { role: 'admin' } }],
    ['user 5 (ben@example.org): b (idp 7)', { ...user, name: 'b (idp 7)' }],
  ],
  'user.invited': [['user 5 (ben@example.org): operator', { ...user, changes: { role: 'operator' } }]],
  'user.changed': [['user 5 (ben@example.org): {"siteIds":[2]}', { ...user, changes: { siteIds: [2] } }]],
  'user.linked': [['user 5 (ben@example.org): abc', { ...user, name: 'abc' }]],
  'user.no-rule': [
    ['user 5 (ben@example.org)', user],
    ['b (idp 7)', { user: { id: null, name: 'b (idp 7)' } }],
  ],
  'user.unlinked': [aboutUser],
  'user.removed': [aboutUser],
  'user.unlocked': [aboutUser],
  'user.password-link-made': [aboutUser],
  'user.password-link-used': [aboutUser],
  'user.password-reset': [aboutUser],
  'user.signed-in': [aboutUser],
  'user.signed-out': [aboutUser],
  'user.sign-in-failed': [aboutUser],
  'user.code-wrong': [aboutUser],
  'user.confirmation-failed': [aboutUser],
  'user.session-ended': [aboutUser],
  'user.second-factor-on': [aboutUser],
  'user.second-factor-off': [aboutUser],
  'user.second-factor-removed': [aboutUser],
  'user.recovery-codes-made': [aboutUser],
  'user.recovery-code-used': [aboutUser],
  'key.created': [
    ['k1: Kasse', key],
    ['k1: Kasse {"note":"Theke"}', { ...key, changes: { note: 'Theke' } }],
  ],
  'key.changed': [['k1: {"scope":"read"}', { key: { id: 'k1', name: '' }, changes: { scope: 'read' } }]],
  'key.revoked': [['k1', { key: { id: 'k1', name: '' } }]],
  'profile.added': [['3: Tag & Nacht', profile]],
  'profile.changed': [['3: Tag & Nacht', profile]],
  'profile.removed': [['3: Tag & Nacht', profile]],
  'webhook.added': [
    [
      'webhook 3 (Kasse): https://example.org/… (chat)',
      { ...webhook, changes: { url: 'https://example.org/…', format: 'chat' } },
    ],
  ],
  'webhook.changed': [['webhook 3 (Kasse): name, events', { ...webhook, fields: ['name', 'events'] }]],
  'webhook.removed': [['webhook 3 (Kasse)', webhook]],
  'screen.added': [['screen 4 (Lobby) of site 2 (Haus A): kiosk', { ...screen, changes: { kind: 'kiosk' } }]],
  'screen.changed': [
    ['screen 4 (Lobby) of site 2 (Haus A): name, terms', { ...screen, fields: ['name', 'terms'] }],
  ],
  'screen.code-renewed': [['screen 4 (Lobby) of site 2 (Haus A)', screen]],
  'screen.paired': [['screen 4 (Lobby) of site 2 (Haus A)', screen]],
  'screen.unpaired': [['screen 4 (Lobby) of site 2 (Haus A)', screen]],
  'screen.path-renewed': [['screen 4 (Lobby) of site 2 (Haus A)', screen]],
  'screen.path-shown': [['screen 4 (Lobby) of site 2 (Haus A)', screen]],
  'screen.removed': [['screen 4 (Lobby) of site 2 (Haus A)', screen]],
  'printer.added': [
    ['printer 3 (Rezeption) of site 2 (Haus A): escpos', { ...printer, changes: { kind: 'escpos' } }],
  ],
  'printer.changed': [
    ['printer 3 (Rezeption) of site 2 (Haus A): name, paper', { ...printer, fields: ['name', 'paper'] }],
  ],
  'printer.path-renewed': [['printer 3 (Rezeption) of site 2 (Haus A)', printer]],
  'printer.path-shown': [['printer 3 (Rezeption) of site 2 (Haus A)', printer]],
  'printer.removed': [['printer 3 (Rezeption) of site 2 (Haus A)', printer]],
  'printer.tested': [['printer 3 (Rezeption) of site 2 (Haus A)', printer]],
  'printer.job-cancelled': [
    ['printer 3 (Rezeption) of site 2 (Haus A)', printer],
    ['voucher 9 of site 2 (Haus A): Rezeption', { ...printer, voucher: '9' }],
  ],
  'delivery.resent': [['7', { delivery: '7' }]],
  'settings.changed': [['{"title":"Haus"}', { changes: { title: 'Haus' } }]],
  'single-sign-on.changed': [['{"rules":[]}', { changes: { rules: [] } }]],
  'mail.server-changed': [['{"port":465}', { changes: { port: 465 } }]],
  'mail.server-removed': [['mail.example.org', { name: 'mail.example.org' }]],
  'mail.tested': [['a…@example.org', { name: 'a…@example.org' }]],
  'site.mail-texts-changed': [['site 2 (Haus A)', site]],
  'image.saved': [
    ['site-2', siteDetails(2, '')],
    ['logo', {}],
  ],
  'image.removed': [['logo', {}]],
  'site.picture-saved': [['site 2 (Haus A)', site]],
  'site.picture-removed': [['site 2 (Haus A)', site]],
  'retention.applied': [['vouchers: 3, audit: 5', { counts: { vouchers: 3, audit: 5 } }]],
  'privacy.erased': [['records: 4', { count: 4 }]],
  'clock.confirmed': [['2026-11-15T00:00:00.000Z', { name: '2026-11-15T00:00:00.000Z' }]],
  'installation.set-up': [
    ['', {}],
    ['user 5 (ben@example.org), site 2 (Haus A), key k1', { ...user, ...site, key: { id: 'k1', name: '' } }],
  ],
  'installation.rekeyed': [['12 sealed values', { count: 12 }]],
  'installation.moved-in': [['movedSites: 3, users: 4', { counts: { movedSites: 3, users: 4 } }]],
  'imported.entry': [['login: ben', { name: 'login: ben' }]],
};

/** What earlier releases understand, if it is not everything. */
const UNDERSTOOD: Partial<Record<AuditAction, object>> = {
  'voucher.not-created': {},
  'voucher.not-revoked': {},
  'site.certificate-confirmed': site,
  'site.reserve-changed': site,
  'site.removed': site,
  'webhook.added': webhook,
  'printer.added': printer,
  'screen.added': screen,
  'printer.job-cancelled': site,
  'voucher.sent-to-printer': site,
  'voucher.disconnected': { voucher: '9', ...site },
};

const isAction = (name: string): name is AuditAction => Object.hasOwn(SAMPLES, name);

test('the details of every action are stored as a text that earlier releases understand, and as JSON', () => {
  for (const action of Object.keys(SAMPLES).filter(isAction)) check(action);

  function check<Action extends AuditAction>(action: Action): void {
    for (const [text, details] of SAMPLES[action]) {
      assert.equal(toAuditText(action, details), text);
      assert.deepEqual(readAuditDetails(JSON.stringify(details)), details);
      const understood = UNDERSTOOD[action] ?? details;
      assert.partialDeepStrictEqual(readAuditSubject(action, text) ?? {}, understood, text);
    }
  }
});

test('no name is taken for another part of the entry', () => {
  const names = [
    'x): activated',
    'x): site 9 (y',
    '"',
    '\\',
    '{who}',
    '{"role":"admin"}',
    '#',
    'ß)'.repeat(20),
  ];
  for (const name of names) {
    const renamed = { ...siteDetails(2, name), fields: ['name'] };
    assert.deepEqual(readAuditDetails(JSON.stringify(renamed)), renamed);
  }
  const details = { voucher: '9', ...siteDetails(2, 'x): activated'), name: 'Zimmer 4' };
  const misread = readAuditSubject('voucher.created', toAuditText('voucher.created', details));
  assert.equal(misread?.site?.name, 'x', 'the text alone is ambiguous');
});

test('details that only a newer release understands are not read', () => {
  for (const json of [null, '', '{"site":7}', '{"count":"many"}'])
    assert.equal(readAuditDetails(json), undefined);
  assert.deepEqual(readAuditDetails('{"count":2,"guest":{"id":"5"}}'), { count: 2 });
});
