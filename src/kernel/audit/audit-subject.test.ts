// Tests reading the texts of audit entries, in the forms that all releases have written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditDetails } from './audit-details.ts';
import { readAuditSubject } from './audit-subject.ts';

const site = { id: '2', name: 'Haus A' };

test('the objects, the name, the count and the changes of an entry are read', () => {
  const cases: [action: string, subject: string, expected: AuditDetails][] = [
    ['voucher.revoked', 'voucher 9 of site 2 (Haus A)', { site, voucher: '9', count: 1 }],
    [
      'voucher.created',
      'voucher 9 of site 2 (Haus (A)): 2026-11-15_Zimmer: 4',
      {
        site: { id: '2', name: 'Haus (A)' },
        voucher: '9',
        name: '2026-11-15_Zimmer: 4',
        count: 1,
      },
    ],
    [
      'voucher.created',
      'batch 0-1 of site 2 (Haus A): 60 vouchers, Tagung',
      { site, batch: { id: '0-1', name: 'Tagung' }, name: 'Tagung', count: 60 },
    ],
    ['voucher.printed', 'vouchers 9', { voucher: '9', count: 1 }],
    ['voucher.printed', 'vouchers 1, 2 and 5 more', { vouchers: ['1', '2'], count: 7 }],
    ['voucher.exported', 'vouchers: 12', { count: 12 }],
    ['audit.exported', 'entries: 5', { count: 5 }],
    ['site.changed', 'site 2 (Haus A): name, active', { site, fields: ['name', 'active'] }],
    [
      'site.removed',
      'site 2 (Haus A): vouchers: 12, batches: 0',
      { site, counts: { vouchers: 12, batches: 0 } },
    ],
    ['slip.changed', '2: Gäste', { site: { id: '2', name: '' }, name: 'Gäste' }],
    [
      'user.added',
      'user 5 (ben@example.org): operator',
      { user: { id: '5', name: 'ben@example.org' }, changes: { role: 'operator' } },
    ],
    [
      'user.changed',
      'user 5 (ben@example.org): {"siteIds":[2]}',
      { user: { id: '5', name: 'ben@example.org' }, changes: { siteIds: [2] } },
    ],
    [
      'user.linked',
      'user 5 (ben@example.org): abc',
      { user: { id: '5', name: 'ben@example.org' }, name: 'abc' },
    ],
    [
      'key.created',
      'k1: Kasse {"note":"Theke"}',
      { key: { id: 'k1', name: 'Kasse' }, changes: { note: 'Theke' } },
    ],
    ['key.created', 'k1: Kasse {1}', { key: { id: 'k1', name: 'Kasse {1}' } }],
    ['key.changed', 'k1: {"scope":"read"}', { key: { id: 'k1', name: '' }, changes: { scope: 'read' } }],
    ['key.revoked', 'k1', { key: { id: 'k1', name: '' } }],
    ['profile.changed', '3: Tag & Nacht', { profile: { id: '3', name: 'Tag & Nacht' } }],
    [
      'webhook.added',
      '3: https://example.org/… (chat)',
      { webhook: { id: '3', name: 'https://example.org/…' } },
    ],
    ['webhook.changed', '3: active', { webhook: { id: '3', name: '' }, fields: ['active'] }],
    [
      'webhook.added',
      'webhook 3 (Kasse): https://example.org/… (chat)',
      { webhook: { id: '3', name: 'Kasse' } },
    ],
    [
      'webhook.changed',
      'webhook 3 (Kasse): name, events',
      { webhook: { id: '3', name: 'Kasse' }, fields: ['name', 'events'] },
    ],
    ['webhook.removed', '3', { webhook: { id: '3', name: '' } }],
    ['settings.changed', '{"title":"Haus"}', { changes: { title: 'Haus' } }],
    ['image.saved', 'site-2', { site: { id: '2', name: '' } }],
    [
      'retention.applied',
      'vouchers: 3, batches: 0, audit: 5',
      { counts: { vouchers: 3, batches: 0, audit: 5 } },
    ],
    [
      'installation.set-up',
      'user 1 (ada@example.org), site 1 (Demo), key k1',
      {
        user: { id: '1', name: 'ada@example.org' },
        site: { id: '1', name: 'Demo' },
        key: { id: 'k1', name: '' },
      },
    ],
    ['installation.rekeyed', '12 sealed values', { count: 12 }],
  ];
  for (const [action, subject, expected] of cases)
    assert.deepEqual(readAuditSubject(action, subject), expected, subject);
});

test('the entries of early releases are read, too', () => {
  const cases: [action: string, subject: string, expected: AuditDetails][] = [
    ['voucher.created', 'site 2 (Haus A): 60 vouchers, Tagung', { site, name: 'Tagung', count: 60 }],
    ['voucher.created', 'site 2: Zimmer 4', { site: { id: '2', name: '' }, name: 'Zimmer 4', count: 1 }],
    ['voucher.revoked', 'voucher 9 of site 2', { site: { id: '2', name: '' }, voucher: '9', count: 1 }],
    ['site.added', 'Haus A', { site: { id: null, name: 'Haus A' } }],
    ['site.changed', '2: name', { site: { id: '2', name: '' }, fields: ['name'] }],
    ['user.signed-in', 'ben@example.org', { user: { id: null, name: 'ben@example.org' } }],
    [
      'user.added',
      'ben@example.org (admin)',
      { user: { id: null, name: 'ben@example.org' }, changes: { role: 'admin' } },
    ],
    [
      'user.changed',
      'ben@example.org: {"active":false}',
      { user: { id: null, name: 'ben@example.org' }, changes: { active: false } },
    ],
    ['profile.added', 'Tag & Nacht', { profile: { id: null, name: 'Tag & Nacht' } }],
    [
      'webhook.added',
      'https://example.org/… (chat)',
      { webhook: { id: null, name: 'https://example.org/…' } },
    ],
  ];
  for (const [action, subject, expected] of cases)
    assert.deepEqual(readAuditSubject(action, subject), expected, subject);
});

test('an unknown action or an unexpected text is left as it is', () => {
  assert.equal(readAuditSubject('door.opened', 'x'), undefined);
  assert.equal(readAuditSubject('voucher.revoked', 'all of them'), undefined);
  assert.equal(readAuditSubject('settings.changed', 'no object'), undefined);
});
