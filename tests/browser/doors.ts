// The pages before anybody is signed in: the door, the code of a second factor, and the first set-up.

import type { Page } from 'playwright-core';
import { startTestService } from '../support/test-service.ts';
import { enrol } from '../web/enrolled.ts';
import { addPerson, PASSWORD, signedIn } from '../web/visitor.ts';
import type { Desk, PageWish } from './desk.ts';

const EMAIL = 'nachtdienst@example.org';

/** Looks at each of them, by name, once for every wish. */
export async function visitDoors(
  { service, open }: Pick<Desk, 'service' | 'open'>,
  wishes: PageWish[],
  look: (page: Page, name: string, wish: PageWish) => Promise<void>,
): Promise<void> {
  await addPerson(service, EMAIL, 'operator');
  await enrol(service, await signedIn(service, EMAIL));
  const untouched = await startTestService();
  for (const wish of wishes) {
    const page = await open(wish);
    await page.goto('/login');
    await look(page, 'sign-in', wish);
    await page.locator('#email').fill(EMAIL);
    await page.locator('#password').fill(PASSWORD);
    await page.locator('#password').press('Enter');
    await page.waitForURL(/\/login\/code/);
    await look(page, 'sign-in-code', wish);
    await page.goto(`${untouched.url}/setup`);
    await look(page, 'setup', wish);
    await page.context().close();
  }
  await untouched.stop();
}
