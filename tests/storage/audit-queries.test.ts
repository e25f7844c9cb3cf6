// Tests the search in the audit log on every engine: by text, actor and action, and in pages.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { toActorText } from '../../src/kernel/audit/actor.ts';
import { siteDetails, userDetails } from '../../src/kernel/audit/audit-details.ts';
import type { AuditSearch } from '../../src/kernel/audit/audit-log.ts';
import { insertAuditEntry, searchAudit } from '../../src/kernel/audit/audit-queries.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { actorOf } from '../support/actors.ts';
import { insertEarlierEntry } from '../support/earlier-entries.ts';
import { onEveryEngine } from './engines.ts';
import { NOW_MS } from './samples.ts';

const ENTRIES = [
  ['Web: Änne', 'user.added', 'ben@example.org (operator)'],
  ['CLI: root', 'key.created', 'keyAAAAA: 100%_Theke'],
  ['Web: Änne', 'key.revoked', 'keyAAAAA'],
  ['API: Theke', 'voucher.created', 'Haus A: Zimmer 12'],
] as const;

onEveryEngine('audit log', (database) => {
  before(() =>
    database().write(async (transaction) => {
      for (const [index, [actor, action, subject]] of ENTRIES.entries())
        await insertEarlierEntry(transaction, {
          atMs: NOW_MS + index,
          actor: actorOf(actor),
          action,
          subject,
        });
    }),
  );
  const search = (input: Partial<AuditSearch> = {}) => searchAudit(database().read, { limit: 10, ...input });
  const actions = async (input: Partial<AuditSearch>) =>
    (await search(input)).entries.map(({ action }) => action);
  /** The actions of all pages, and the number of pages. */
  async function walk(input: Partial<AuditSearch>) {
    const seen: string[] = [];
    let pages = 0;
    for (let beforeId: number | null | undefined; beforeId !== null; pages++) {
      const page = await search({ ...input, ...(beforeId !== undefined && { beforeId }) });
      seen.push(...page.entries.map(({ action }) => action));
      beforeId = page.nextBeforeId;
    }
    return { seen, pages };
  }

  test('the newest entry comes first, with all its fields', async () => {
    const { entries } = await search();
    assert.deepEqual(
      entries.map(({ actor, action, subject, atMs }) => [toActorText(actor), action, subject, atMs - NOW_MS]),
      ENTRIES.map((entry, index) => [...entry, index]).toReversed(),
    );
  });

  test('entries are found by part of the subject, action or actor in any case, and by the exact action', async () => {
    assert.deepEqual(await actions({ text: 'ZIMMER' }), ['voucher.created']);
    assert.deepEqual(await actions({ text: 'revoked' }), ['key.revoked']);
    assert.deepEqual(await actions({ text: 'Änn' }), ['key.revoked', 'user.added']);
    assert.deepEqual(await actions({ action: 'key.created' }), ['key.created']);
    assert.deepEqual(await actions({ action: 'key' }), []);
    assert.deepEqual(await actions({ action: 'key.', text: 'cli' }), ['key.created']);
    assert.deepEqual(
      await actions({ text: 'ZIMMER', textActions: ['key.revoked'], textSubjects: ['ben@'] }),
      ['voucher.created', 'key.revoked', 'user.added'],
    );
  });

  test('entries are found by user or key, by site and by time', async () => {
    const [first, from, until] = [NOW_MS, NOW_MS + 1, NOW_MS + 3];
    assert.deepEqual(await actions({ fromMs: from, untilMs: until }), ['key.revoked', 'key.created']);
    assert.deepEqual(await walk({ untilMs: until, lookBack: 2 }), {
      seen: ['key.revoked', 'key.created', 'user.added'],
      pages: 2,
    });
    assert.deepEqual(await actions({ untilMs: first }), []);
    const anna = { kind: 'user', id: '7', name: 'Änne', email: 'ben@example.org (operator)' } as const;
    assert.deepEqual(await actions({ by: anna }), ['key.revoked', 'user.added'], 'early entries have no id');
    assert.deepEqual(await actions({ by: { kind: 'key', id: 'k', name: 'Theke' } }), ['voucher.created']);
    const others = [
      ['site.changed', 'site 12 (Haus): name'],
      ['site.changed', 'site 2 (Haus): name'],
      ['slip.changed', '2: Gäste'],
      ['image.saved', 'site-2'],
      ['user.sign-in-failed', 'user 7 (anna@example.org)'],
    ] as const;
    await database().write(async (transaction) => {
      for (const [action, subject] of others)
        await insertEarlierEntry(transaction, {
          atMs: NOW_MS + 9,
          actor: actorOf('Unknown'),
          action,
          subject,
        });
    });
    assert.deepEqual(await actions({ siteId: asSiteId(2) }), ['image.saved', 'slip.changed', 'site.changed']);
    assert.ok((await actions({ by: anna })).includes('user.sign-in-failed'), 'what concerns the user');
    await database().write((transaction) =>
      transaction
        .deleteFrom('audit')
        .where('at_ms', '=', NOW_MS + 9)
        .execute(),
    );
  });

  test('a name that looks like another object does not mislead the search', async () => {
    const by = { atMs: NOW_MS + 9, actor: actorOf('CLI: root') };
    const hostile = 'x): site 2 (, "site":{"id":"2",';
    await database().write(async (transaction) => {
      const site = siteDetails(3, hostile);
      await insertAuditEntry(transaction, { ...by, action: 'site.added', details: site });
      const user = userDetails({ id: 8, email: 'user 7 (, "user":{"id":"7",' });
      await insertAuditEntry(transaction, { ...by, action: 'user.removed', details: user });
      const key = { id: 'k2', name: '"key":{"id":"k",' };
      await insertAuditEntry(transaction, { ...by, action: 'key.created', details: { key } });
    });
    const { entries } = await search({ siteId: asSiteId(3) });
    assert.deepEqual(
      entries.map(({ details }) => details),
      [siteDetails(3, hostile)],
    );
    assert.deepEqual(await actions({ siteId: asSiteId(2) }), []);
    const user = (id: string) => ({ kind: 'user', id, name: 'Nobody' }) as const;
    assert.deepEqual(await actions({ by: user('8') }), ['user.removed']);
    assert.deepEqual(await actions({ by: user('7') }), []);
    const key = (id: string) => ({ kind: 'key', id, name: 'Nothing' }) as const;
    assert.deepEqual(await actions({ by: key('k2') }), ['key.created']);
    assert.deepEqual(await actions({ by: key('k') }), []);
    await database().write((transaction) =>
      transaction
        .deleteFrom('audit')
        .where('at_ms', '=', NOW_MS + 9)
        .execute(),
    );
  });

  test('wildcard characters in the search text are literal', async () => {
    assert.deepEqual(await actions({ text: '0%_t' }), ['key.created']);
    for (const text of ['a%t', 'key_AAA', '\\', "'"]) assert.deepEqual(await actions({ text }), [], text);
  });

  test('pages have no gaps and no repeats', async () => {
    const all = ENTRIES.map(([, action]) => action).toReversed();
    assert.deepEqual(await walk({ limit: 3 }), { seen: all, pages: 2 });
    assert.deepEqual(await walk({ limit: 4 }), { seen: all, pages: 1 });
  });

  test('a search examines a limited number of entries at a time and returns where to continue', async () => {
    const all = ENTRIES.map(([, action]) => action).toReversed();
    assert.deepEqual(await walk({ lookBack: 3 }), { seen: all, pages: 2 });
    assert.deepEqual((await search({ text: 'ben@', lookBack: 3 })).entries, []);
    assert.deepEqual(await walk({ text: 'ben@', lookBack: 3 }), { seen: ['user.added'], pages: 2 });
    assert.deepEqual(await walk({ text: 'nobody', lookBack: 2 }), { seen: [], pages: 2 });
  });
});
