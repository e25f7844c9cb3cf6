// Tests how slips look: the theme and the logo of their site, and a sheet of which some labels are used.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { TESTER } from '../support/actors.ts';
import { makePng } from '../support/pictures.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const SITE = asSiteId(1);
const AUDIT = { actor: TESTER, atMs: 1 };
const SLIP = { 'wifi-name': 'Gäste', 'wifi-security': 'open', text: 'Guten Tag' };

let service: TestService;
let admin: WebClient;
let vouchers: string;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
  await admin.post('/vouchers', { site: '1', name: 'Messe', count: '3' });
  vouchers = service
    .rows('select id from vouchers order by id')
    .map(({ id }) => `voucher=${id}`)
    .join('&');
});
after(() => service.stop());

test('a slip has the theme, the colour and the name of its site as chosen in the designer', async () => {
  const look = { ...SLIP, theme: 'strong', colour: '#F1C40F' };
  const page = async () => (await admin.get(`/vouchers/print?${vouchers}`)).text;
  assert.match(await page(), /class="site in-bold"/);
  const preview = await admin.post('/sites/1/slip/preview', look);
  assert.match(preview.text, /<rect [^>]*fill="#f1c40f".*class="site in-sans-bold"[^>]* fill="#000000"/s);
  assert.match(await page(), /class="site in-bold"/, 'a preview saves nothing');
  await admin.post('/sites/1/slip', { ...look, 'logo-has-name': '1' });
  assert.partialDeepStrictEqual(await service.beside.slips.find(SITE), {
    theme: 'strong',
    colour: '#f1c40f',
    logoHasName: true,
  });
  assert.match(await page(), /class="site in-sans-bold"/, 'there is no logo that could contain the name');
  await service.beside.images.save('logo', { type: 'image/png', bytes: makePng(60, 20) }, AUDIT);
  assert.doesNotMatch(await page(), /class="site /);
  await service.beside.images.remove('logo', AUDIT);
  await admin.post('/sites/1/slip', { ...SLIP, theme: 'nothing', colour: 'red' });
  const { theme, colour, logoHasName } = await service.beside.slips.find(SITE);
  assert.deepEqual([theme, colour, logoHasName], [undefined, undefined, undefined]);
});

test('a sheet with used labels is printed from the first free label on', async () => {
  const placesOn = async (query: string) =>
    [
      ...(await admin.get(`/vouchers/print?${vouchers}${query}`)).text.matchAll(
        /class="slip"[^>]* transform="translate\(([^)]+)\)/g,
      ),
    ].map(([, place]) => place);
  const all = await placesOn('&paper=labels-8');
  const shifted = await placesOn('&paper=labels-8&first=3');
  assert.deepEqual(shifted.slice(0, 1), all.slice(2));
  for (const wrong of ['0', '9', '1.5', 'x', '-1', ''])
    assert.deepEqual(await placesOn(`&paper=labels-8&first=${wrong}`), all, wrong);
  assert.deepEqual(await placesOn('&paper=a4&first=3'), await placesOn('&paper=a4'));
  const { text } = await admin.get(`/vouchers/print?${vouchers}&paper=labels-8&first=3`);
  assert.match(text, /id="first"[^>]* max="8" value="3"/);
  assert.match(text, /href="\/vouchers\/pdf\?[^"]*first=3"/);
  assert.match(text, /href="[^"]*paper=labels-21"/, 'another paper begins with a new sheet');
  assert.doesNotMatch((await admin.get(`/vouchers/print?${vouchers}&paper=a4`)).text, /id="first"/);
  const pdf = await admin.get(`/vouchers/pdf?${vouchers}&paper=labels-8&first=8`);
  assert.equal(pdf.text.match(/\/Type \/Page\b/g)?.length, 2);
});
