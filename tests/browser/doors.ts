// The pages without a session: the login page, the page for the code of the second factor, and the setup page.

import type { Page } from 'playwright-core';
import { startTestService } from '../support/test-service.ts';
import { enrol } from '../web/enrolled.ts';
import { addUser, PASSWORD, signedIn } from '../web/web-client.ts';
import type { Desk, PageOptions } from './desk.ts';

const EMAIL = 'nachtdienst@example.org';

/** Opens each of these pages once per entry of `inputs` and calls `look` with the name of the page. */
export async function checkDoors(
  { service, open }: Pick<Desk, 'service' | 'open'>,
  inputs: PageOptions[],
  look: (page: Page, name: string, input: PageOptions) => Promise<void>,
): Promise<void> {
  await addUser(service, EMAIL, 'operator');
  await enrol(service, await signedIn(service, EMAIL));
  const untouched = await startTestService();
  for (const input of inputs) {
    const page = await open(input);
    await page.goto('/login');
    await look(page, 'sign-in', input);
    await page.locator('#email').fill(EMAIL);
    await page.locator('#password').fill(PASSWORD);
    await page.locator('#password').press('Enter');
    await page.waitForURL(/\/login\/code/);
    await look(page, 'sign-in-code', input);
    await page.goto(`${untouched.url}/setup`);
    await look(page, 'setup', input);
    await page.context().close();
  }
  await untouched.stop();
}
