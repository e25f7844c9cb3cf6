// Tests the queries for sites and their list versions on every engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import type { SiteChange } from '../../src/kernel/sites/site.ts';
import {
  raiseListVersion,
  selectListVersion,
  selectSite,
  selectSites,
  updateSite,
} from '../../src/kernel/sites/site-queries.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, sampleSite, seal } from './samples.ts';

const NOBODY = asSiteId(2_147_483_647);

onEveryEngine('sites', (database) => {
  test('a site is read back as it was stored, with its own id', async () => {
    const fields = { name: 'Haus Ä 😀', active: false, controllerSite: "o'brien" };
    const id = await addSite(database(), fields);
    assert.deepEqual(await selectSite(database().read, seal, id), { id, ...sampleSite(fields) });
    assert.notEqual(await addSite(database()), id);
  });

  test('a change affects only the fields it names', async () => {
    const id = await addSite(database());
    const changes: SiteChange[] = [
      { name: 'Neu' },
      { active: false },
      { controllerSite: 'garten' },
      { importsForeign: false },
    ];
    let expected = { id, ...sampleSite() };
    for (const change of changes) {
      const changed = await database().write((transaction) => updateSite(transaction, seal, { id, change }));
      expected = { ...expected, ...change };
      assert.equal(changed, expected.name);
      assert.deepEqual(await selectSite(database().read, seal, id), expected);
    }
  });

  test('a site that does not exist is not found, cannot be changed and has no list version', async () => {
    assert.equal(await selectSite(database().read, seal, NOBODY), undefined);
    assert.equal(await selectListVersion(database().read, NOBODY), undefined);
    const changed = await database().write((transaction) =>
      updateSite(transaction, seal, { id: NOBODY, change: { name: 'x' } }),
    );
    assert.equal(changed, undefined);
  });

  test('the list version starts at 0 and rises only for its own site', async () => {
    const one = await addSite(database());
    const other = await addSite(database());
    assert.equal(await selectListVersion(database().read, one), 0);
    for (const expected of [1, 2]) {
      await database().write((transaction) => raiseListVersion(transaction, one));
      assert.equal(await selectListVersion(database().read, one), expected);
    }
    assert.equal(await selectListVersion(database().read, other), 0);
  });
});

onEveryEngine('the list of sites', (database) => {
  test('sites are sorted by natural name order: umlauts next to their vowels, numbers by value', async () => {
    for (const name of ['Zelt', 'Haus 10', 'Ärztehaus', 'Haus 2', 'apotheke', 'Haus 2'])
      await addSite(database(), { name });
    const sites = await selectSites(database().read, seal);
    assert.deepEqual(
      sites.map(({ name }) => name),
      ['apotheke', 'Ärztehaus', 'Haus 2', 'Haus 2', 'Haus 10', 'Zelt'],
    );
    const [first, second] = sites.filter(({ name }) => name === 'Haus 2');
    assert.ok(first && second && first.id < second.id);
  });
});
