// Tests the search in the audit log on every engine: by text, actor and action, and in pages.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { toActorText } from '../../src/domain/audit/actor.ts';
import type { AuditSearch } from '../../src/domain/audit/audit-log.ts';
import { insertAuditEntry, searchAudit } from '../../src/storage/audit/queries.ts';
import { actorOf } from '../support/actors.ts';
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
        await insertAuditEntry(transaction, { atMs: NOW_MS + index, actor: actorOf(actor), action, subject });
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
    assert.deepEqual(await actions({ actor: 'Änn' }), ['key.revoked', 'user.added']);
    assert.deepEqual(await actions({ action: 'key.created' }), ['key.created']);
    assert.deepEqual(await actions({ action: 'key' }), []);
    assert.deepEqual(await actions({ actor: 'cli', text: 'keyAAAAA' }), ['key.created']);
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
