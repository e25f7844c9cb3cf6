// In the list of vouchers, the results of a batch share one line, however many pages they would fill: without a filter,
// in a search and with a state, in every order. The line can be opened.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

/** Larger than two pages of the list. */
const LARGE = 70;
const SINGLES = 45;

let service: TestService;
let webClient: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
  // The vouchers of both large batches and single vouchers take turns.
  for (let i = 0; i < LARGE; i++) {
    addVoucher('Sommerfest', { batch: 'sommerfest', used: i % 2 });
    addVoucher('Ärztekongress', { batch: 'kongress' });
    if (i < SINGLES) addVoucher(`Zimmer ${i}`, {});
  }
  for (let i = 0; i < 3; i++) addVoucher('Familie', { batch: 'familie' });
  for (const [id, size] of Object.entries({ sommerfest: LARGE, kongress: LARGE, familie: 3 }))
    addBatch(id, size);
});
after(() => service.stop());

function addBatch(id: string, size: number): void {
  service.change(
    `insert into batches (id, user_id, site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, wanted, created_at_ms, ended_at_ms)
      values ('${id}', 1, 1, '${id}', 1, 480, 0, 0, 0, ${size}, 1, 1)`,
  );
}

let added = 0;
function addVoucher(name: string, { batch = '', used = 0 }): void {
  added += 1;
  const createdAtS = Math.floor(service.clock.nowMs() / 1000) - 1_000 + added;
  service.change(
    `insert into vouchers (site_id, code, name, name_order, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, controller_voucher_id, used_count, created_at_s, batch_id)
      values (1, '${1_000_000_000 + added}', '${name}', '${name.toLowerCase()}', 2, 480, 0, 0, 0, 'folded-${added}', ${used}, ${createdAtS}, ${(batch && `'${batch}'`) || 'null'})`,
  );
}

/** Reads all pages of the list: the ids of its vouchers, and the batches with the number of their vouchers. */
async function readAll(query: string) {
  const read = { vouchers: [] as string[], batches: [] as string[], pages: 0 };
  for (let path: string | undefined = `/vouchers?${query}`; path; read.pages++) {
    const { text }: { text: string } = await webClient.get(path);
    read.vouchers.push(
      ...[...text.matchAll(/class="listed" href="\/vouchers\/(\d+)/g)].map(([, id]) => id ?? ''),
    );
    read.batches.push(
      ...[...text.matchAll(/href="\/batches\/(\w+)">(\d+) Voucher</g)].map(
        ([, id, count]) => `${id} ${count}`,
      ),
    );
    path = /class="button" href="([^"]*after=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return read;
}

for (const sort of ['newest', 'oldest', 'name', 'name-back'])
  test(`each batch has one line, and each other voucher its own, sorted by ${sort}`, async () => {
    const { vouchers, batches, pages } = await readAll(`sort=${sort}`);
    assert.deepEqual(batches.toSorted(), [`kongress ${LARGE}`, `sommerfest ${LARGE}`]);
    assert.equal(new Set(vouchers).size, vouchers.length);
    assert.equal(vouchers.length, SINGLES + 3, 'three vouchers are not folded');
    assert.ok(pages >= 2);
  });

test('a search and a state fold the results, and the line counts the results only', async () => {
  assert.deepEqual((await readAll('q=sommer')).batches, [`sommerfest ${LARGE}`]);
  assert.deepEqual((await readAll('q=sommer&state=unused')).batches, [`sommerfest ${LARGE / 2}`]);
  const { text } = await webClient.get('/vouchers?q=sommer');
  assert.ok(text.includes(`${LARGE / 2} von ${LARGE} benutzt`));
  assert.match(text, new RegExp(`role="status">${LARGE} Voucher<`), 'the count is of vouchers, not of lines');
  const one = await readAll('q=1000000001');
  assert.deepEqual([one.vouchers.length, one.batches], [1, []], 'a code is found, not its batch');
});

test('a batch opens below its line with a link, shows some of its vouchers, and closes again', async () => {
  const closed = (await webClient.get('/vouchers?state=unused')).text;
  const open = /href="([^"]+)#batch-sommerfest" aria-expanded="false"/
    .exec(closed)?.[1]
    ?.replaceAll('&amp;', '&');
  assert.equal(open, '/vouchers?state=unused&open=sommerfest');
  const { text } = await webClient.get(open ?? '');
  assert.equal(text.split('<tr class="opened">').length - 1, 20);
  assert.ok(text.includes(`Alle ${LARGE / 2} im Stapel ansehen`));
  assert.match(text, /href="\/vouchers\?state=unused#batch-sommerfest" aria-expanded="true"/);
  assert.match(
    text,
    /href="\/export\/vouchers\.csv\?state=unused"/,
    'the export is not limited to the batch',
  );
});

test('the home page fills its lines although it folds small batches, too', async () => {
  const { text } = await webClient.get('/');
  const lines = [...text.matchAll(/class="listed" href="\/(batches\/\w+|vouchers)/g)].map(([, to]) => to);
  assert.deepEqual(lines.slice(0, 3), ['batches/familie', 'batches/kongress', 'batches/sommerfest']);
  assert.deepEqual(lines.slice(3), Array(5).fill('vouchers'));
  assert.ok(text.includes(`${LARGE / 2} von ${LARGE} benutzt`));
});

test('all results can be revoked as long as several have not ended', async () => {
  const offers = async (text: string) => /all=1/.test((await webClient.get(`/vouchers?q=${text}`)).text);
  const endAllBut = (left: number) =>
    service.change(
      `update vouchers set ended_at_s = 1 where name = 'Sommerfest' and id not in (select id from vouchers where name = 'Sommerfest' limit ${left})`,
    );
  assert.ok(await offers('sommer'));
  endAllBut(2);
  assert.ok(await offers('sommer'));
  endAllBut(1);
  assert.ok(!(await offers('sommer')), 'one voucher is revoked by its own menu');
  assert.ok(await offers('familie'));
  assert.ok(!(await offers(encodeURIComponent('Zimmer 44'))));
});
