// Pages with hostile names in a real browser: no script in a name runs or even triggers the Content Security Policy,
// and no page on a phone scrolls sideways, however long a name is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { giveHostileNames, pathsOf } from '../web/hostile-things.ts';
import { type Desk, EMAIL, SIZES, setupDesk } from './desk.ts';

let desk: Desk;
let paths: string[];
before(async () => {
  desk = await setupDesk();
  paths = pathsOf(await giveHostileNames(desk.service, EMAIL));
});
after(() => desk.close());

test('no page runs a script from a name, and none is wider than the phone', async () => {
  const page = await desk.openLoggedIn({ size: 'phone' });
  const happened: string[] = [];
  page.on('dialog', async (dialog) => {
    happened.push(`dialog on ${page.url()}`);
    await dialog.dismiss();
  });
  page.on('pageerror', (error) => happened.push(`${error.message} on ${page.url()}`));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) happened.push(`${message.text()} on ${page.url()}`);
  });
  for (const path of paths) {
    const kind = (await page.request.get(path)).headers()['content-type'] ?? '';
    if (!kind.startsWith('text/html')) continue;
    await page.goto(path);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > SIZES.phone.width) happened.push(`${path} is ${width} wide`);
  }
  assert.deepEqual(happened, []);
});
