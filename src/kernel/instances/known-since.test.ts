// Tests which instance keeps a new value from being stored, and how releases are compared.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareReleases } from './instance.ts';
import { makeFindOutdated, sayOutdated } from './known-since.ts';

const knownSince = [{ what: 'controller', value: 'fritzbox', since: '9.9.0' }] as const;
const used = [{ what: 'controller', value: 'fritzbox' }] as const;

function find(...releases: string[]) {
  const living = releases.map((release, index) => ({
    id: release,
    name: `web-${index + 1}`,
    release,
    schemaVersion: 1,
  }));
  const instances = { listLiving: async () => living };
  return makeFindOutdated({ instances, knownSince })([...used]);
}

test('releases are compared number by number, and one that cannot be read is the oldest', () => {
  for (const [older, newer] of [
    ['0.2.0', '0.10.0'],
    ['0.2.9', '1.0.0'],
    ['1.2.3', '1.2.4'],
    ['next', '0.0.1'],
  ] as const) {
    assert.ok(compareReleases(older, newer) < 0, older);
    assert.ok(compareReleases(newer, older) > 0, newer);
  }
  assert.equal(compareReleases('1.2.3', '1.2.3-rc.1'), 0);
});

test('the oldest living instance is named if it does not know the value', async () => {
  const outdated = await find('0.2.0', '9.9.0');
  assert.ok(outdated);
  assert.equal(
    sayOutdated(outdated),
    'instance web-1 still runs 0.2.0, which does not know the controller "fritzbox" (new in 9.9.0); upgrade it first',
  );
});

test('a value is stored once all living instances know it, and a value of all releases always', async () => {
  assert.equal(await find('9.9.0', '10.0.0'), undefined);
  assert.equal(await find(), undefined);
  const nobodyAsked = { listLiving: () => Promise.reject(new Error('not needed')) };
  const findOutdated = makeFindOutdated({ instances: nobodyAsked, knownSince });
  assert.equal(await findOutdated([{ what: 'controller', value: 'unifi' }]), undefined);
});
