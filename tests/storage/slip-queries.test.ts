// Tests the queries for slips and for the vouchers to print, on every engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSiteId, asVoucherId } from '../../src/kernel/ids.ts';
import { FIRST_SLIP, type SiteSlip } from '../../src/kernel/slips/slip.ts';
import { makeSlipStore } from '../../src/kernel/slips/slip-store.ts';
import { insertVoucherUnlessTaken } from '../../src/kernel/vouchers/storage/voucher-queries.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, sampleOrder, sampleUpstream, seal } from './samples.ts';

const AUDIT = { actor: actorOf('Web: anna'), atMs: 5 };
const SLIP: SiteSlip = {
  wifiName: 'Gäste; 東京 😀',
  wifiSecurity: 'wpa',
  wifiPassword: 'streng;geheim',
  text: 'Guten Tag\nFrühstück ab 7',
  languages: ['de', 'en'],
  steps: { en: 'One\nTwo' },
  theme: 'strong',
  colour: '#1d4f91',
  logoHasName: true,
};

onEveryEngine('slips', (database) => {
  test('a slip is read back as it was stored, and a site without a slip has the default', async () => {
    const slips = makeSlipStore(database(), seal);
    const id = await addSite(database());
    assert.deepEqual(await slips.find(id), FIRST_SLIP);
    await slips.save(id, SLIP, AUDIT);
    assert.deepEqual(await slips.find(id), SLIP);
    const { wifiName, text } = SLIP;
    const open: SiteSlip = { wifiName, text, wifiSecurity: 'open', wifiPassword: null };
    await slips.save(id, open, AUDIT);
    assert.deepEqual(await slips.find(id), open);
  });

  test('steps are written for instances of earlier releases, too, and what those write counts', async () => {
    const slips = makeSlipStore(database(), seal);
    const id = await addSite(database());
    await slips.save(id, SLIP, AUDIT);
    const ofSite = () => database().read.selectFrom('site_slips').selectAll().where('site_id', '=', id);
    const { steps, steps_de, steps_en } = await ofSite().executeTakeFirstOrThrow();
    assert.deepEqual([steps, steps_de, steps_en], ['{"en":"One\\nTwo"}', null, 'One\nTwo']);
    const change = (columns: { steps?: string; steps_de?: string; steps_en?: string | null }) =>
      database().write((to) => to.updateTable('site_slips').set(columns).where('site_id', '=', id).execute());
    await change({ steps_de: 'Eins', steps_en: null });
    assert.deepEqual((await slips.find(id)).steps, { de: 'Eins' });
    await change({ steps: 'no JSON' });
    assert.deepEqual((await slips.find(id)).steps, { de: 'Eins' });
  });

  test('the Wi-Fi password is sealed at rest and not in the audit log', async () => {
    const id = await addSite(database());
    await makeSlipStore(database(), seal).save(id, SLIP, AUDIT);
    const row = await database()
      .read.selectFrom('site_slips')
      .selectAll()
      .where('site_id', '=', id)
      .executeTakeFirstOrThrow();
    const entries = await database().read.selectFrom('audit').selectAll().execute();
    assert.ok(!JSON.stringify([row, entries]).includes('geheim'));
    assert.partialDeepStrictEqual(entries.at(-1), { actor: 'Web: anna', action: 'slip.changed' });
  });

  test('vouchers are found by id with all fields of a slip, and only in the given sites', async () => {
    const slips = makeSlipStore(database(), seal);
    const [one, other] = [await addSite(database(), { name: 'Haus A' }), await addSite(database())];
    const add = (siteId: typeof one, code: string) =>
      database().write((transaction) =>
        insertVoucherUnlessTaken(transaction, {
          siteId,
          code,
          actor: actorOf('test'),
          createdAtS: 7,
          upstream: sampleUpstream(code, { code, usedCount: 1 }),
        }),
      );
    await add(one, '1111111111');
    await add(one, '2222222222');
    await add(other, '3333333333');
    const rows = await database().read.selectFrom('vouchers').select(['id', 'code']).execute();
    const ids = rows.map(({ id }) => asVoucherId(id));
    const found = await slips.findVouchers({ ids: [...ids, asVoucherId(999_999_999)], siteIds: [one] });
    assert.deepEqual(found.map(({ code }) => code).sort(), ['1111111111', '2222222222']);
    const said = { ...sampleOrder, siteId: one, siteName: 'Haus A', usedCount: 1, endedAtS: null };
    assert.partialDeepStrictEqual(found[0], said);
    assert.deepEqual(await slips.findVouchers({ ids, siteIds: [] }), []);
    assert.deepEqual(await slips.findVouchers({ ids, siteIds: [asSiteId(999_999)] }), []);
  });
});
