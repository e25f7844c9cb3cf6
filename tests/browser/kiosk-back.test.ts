// Tests that the next guest at a kiosk cannot go back to the code, the name or the room of the guest before, in a
// browser that keeps pages for "back".

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { SCREEN_PATH } from '../../src/features/screens/screen.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { launchChromium } from '../support/chromium.ts';
import { type Kiosk, openKiosk } from '../support/kiosk.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let kiosk: Kiosk;
let browser: Browser;
before(async () => {
  service = await startTestService();
  kiosk = await openKiosk(service, { siteId: asSiteId(1), name: 'Lobby', asks: ['name', 'room'] });
  // Playwright turns off what the test is about.
  browser = await launchChromium({ ignoreDefaultArgs: ['--disable-back-forward-cache'] });
});
after(async () => {
  await browser.close();
  await service.stop();
});

async function openDevice(javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  const [name = '', value = ''] = kiosk.cookie.split('=');
  const { hostname } = new URL(service.url);
  await context.addCookies([{ name, value, domain: hostname, path: SCREEN_PATH }]);
  const page = await context.newPage();
  await page.goto(service.url + SCREEN_PATH);
  return page;
}

for (const javaScriptEnabled of [true, false])
  test(`going back shows nothing of the guest before, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const page = await openDevice(javaScriptEnabled);
    await page.locator('#name').fill('Vorgast');
    await page.locator('#room').fill('77');
    await page.locator('button.offer').click();
    const code = await page.locator('.entered').innerText();
    await page.locator('.end-part .button').click();
    await page.locator('button.offer').waitFor();
    for (const step of ['goBack', 'goBack', 'goForward', 'goForward'] as const) {
      // A step to the page that is shown already has no response.
      await page[step]().catch(() => null);
      await page.locator('button.offer').waitFor();
      assert.equal(await page.getByText(code).count(), 0, step);
      assert.equal(await page.locator('#name').inputValue(), '', step);
      assert.equal(await page.locator('#room').inputValue(), '', step);
    }
    await page.context().close();
  });
