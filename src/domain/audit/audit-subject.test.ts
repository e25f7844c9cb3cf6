// Tests reading the subjects of audit entries, in the forms that all releases have written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditSubject, readAuditSubject } from './audit-subject.ts';

const site = { id: '2', name: 'Haus A' };

test('the objects, the name, the count and the changes of an entry are read', () => {
  const cases: [action: string, subject: string, expected: Partial<AuditSubject>][] = [
    [
      'voucher.revoked',
      'voucher 9 of site 2 (Haus A)',
      { things: { site, voucher: { id: '9', name: '' } }, count: 1 },
    ],
    [
      'voucher.created',
      'voucher 9 of site 2 (Haus (A)): 2026-11-15_Zimmer: 4',
      {
        things: { site: { id: '2', name: 'Haus (A)' }, voucher: { id: '9', name: '' } },
        name: 'Zimmer: 4',
        count: 1,
      },
    ],
    [
      'voucher.created',
      'batch 0-1 of site 2 (Haus A): 60 vouchers, Tagung',
      { things: { site, batch: { id: '0-1', name: 'Tagung' } }, name: 'Tagung', count: 60 },
    ],
    ['voucher.printed', 'vouchers 9', { things: { voucher: { id: '9', name: '' } }, count: 1 }],
    ['voucher.printed', 'vouchers 1, 2 and 5 more', { count: 7 }],
    ['voucher.exported', 'vouchers: 12', { count: 12 }],
    ['audit.exported', 'entries: 5', { count: 5 }],
    [
      'site.changed',
      'site 2 (Haus A): name, active',
      { things: { site }, changes: { name: undefined, active: undefined } },
    ],
    [
      'site.removed',
      'site 2 (Haus A): vouchers: 12, batches: 0',
      { things: { site }, changes: { vouchers: 12 } },
    ],
    ['slip.changed', '2: Gäste', { things: { site: { id: '2', name: '' } }, name: 'Gäste' }],
    [
      'user.added',
      'user 5 (ben@example.org): operator',
      { things: { user: { id: '5', name: 'ben@example.org' } }, changes: { role: 'operator' } },
    ],
    [
      'user.changed',
      'user 5 (ben@example.org): {"siteIds":[2]}',
      { things: { user: { id: '5', name: 'ben@example.org' } }, changes: { siteIds: [2] } },
    ],
    [
      'user.linked',
      'user 5 (ben@example.org): abc',
      { things: { user: { id: '5', name: 'ben@example.org' } }, name: 'abc' },
    ],
    [
      'key.created',
      'k1: Kasse {"note":"Theke"}',
      { things: { key: { id: 'k1', name: 'Kasse' } }, changes: { note: 'Theke' } },
    ],
    ['key.created', 'k1: Kasse {1}', { things: { key: { id: 'k1', name: 'Kasse {1}' } } }],
    [
      'key.changed',
      'k1: {"scope":"read"}',
      { things: { key: { id: 'k1', name: '' } }, changes: { scope: 'read' } },
    ],
    ['key.revoked', 'k1', { things: { key: { id: 'k1', name: '' } } }],
    ['profile.changed', '3: Tag & Nacht', { things: { profile: { id: '3', name: 'Tag & Nacht' } } }],
    [
      'webhook.added',
      '3: https://example.org/… (chat)',
      { things: { webhook: { id: '3', name: 'https://example.org/…' } } },
    ],
    [
      'webhook.changed',
      '3: active',
      { things: { webhook: { id: '3', name: '' } }, changes: { active: undefined } },
    ],
    [
      'webhook.added',
      'webhook 3 (Kasse): https://example.org/… (chat)',
      { things: { webhook: { id: '3', name: 'Kasse' } } },
    ],
    [
      'webhook.changed',
      'webhook 3 (Kasse): name, events',
      { things: { webhook: { id: '3', name: 'Kasse' } }, changes: { name: undefined, events: undefined } },
    ],
    ['webhook.removed', '3', { things: { webhook: { id: '3', name: '' } } }],
    ['settings.changed', '{"title":"Haus"}', { changes: { title: 'Haus' } }],
    ['image.saved', 'site-2', { things: { site: { id: '2', name: '' } } }],
    ['retention.applied', 'vouchers: 3, batches: 0, audit: 5', { changes: { vouchers: 3, audit: 5 } }],
    [
      'installation.set-up',
      'user 1 (ada@example.org), site 1 (Demo), key k1',
      { name: 'ada@example.org, Demo, key k1' },
    ],
    ['installation.rekeyed', '12 sealed values', { count: 12 }],
  ];
  for (const [action, subject, expected] of cases)
    assert.deepEqual(readAuditSubject(action, subject), { things: {}, changes: {}, ...expected }, subject);
});

test('the entries of early releases are read, too', () => {
  const cases: [action: string, subject: string, expected: Partial<AuditSubject>][] = [
    [
      'voucher.created',
      'site 2 (Haus A): 60 vouchers, Tagung',
      { things: { site }, name: 'Tagung', count: 60 },
    ],
    [
      'voucher.created',
      'site 2: Zimmer 4',
      { things: { site: { id: '2', name: '' } }, name: 'Zimmer 4', count: 1 },
    ],
    [
      'voucher.revoked',
      'voucher 9 of site 2',
      { things: { site: { id: '2', name: '' }, voucher: { id: '9', name: '' } }, count: 1 },
    ],
    ['site.added', 'Haus A', { things: { site: { id: null, name: 'Haus A' } } }],
    ['site.changed', '2: name', { things: { site: { id: '2', name: '' } }, changes: { name: undefined } }],
    ['user.signed-in', 'ben@example.org', { things: { user: { id: null, name: 'ben@example.org' } } }],
    [
      'user.added',
      'ben@example.org (admin)',
      { things: { user: { id: null, name: 'ben@example.org' } }, changes: { role: 'admin' } },
    ],
    [
      'user.changed',
      'ben@example.org: {"active":false}',
      { things: { user: { id: null, name: 'ben@example.org' } }, changes: { active: false } },
    ],
    ['profile.added', 'Tag & Nacht', { things: { profile: { id: null, name: 'Tag & Nacht' } } }],
    [
      'webhook.added',
      'https://example.org/… (chat)',
      { things: { webhook: { id: null, name: 'https://example.org/…' } } },
    ],
  ];
  for (const [action, subject, expected] of cases)
    assert.deepEqual(readAuditSubject(action, subject), { things: {}, changes: {}, ...expected }, subject);
});

test('an unknown action or an unexpected text is left as it is', () => {
  assert.equal(readAuditSubject('door.opened', 'x'), undefined);
  assert.equal(readAuditSubject('voucher.revoked', 'all of them'), undefined);
  assert.equal(readAuditSubject('settings.changed', 'no object'), undefined);
});
