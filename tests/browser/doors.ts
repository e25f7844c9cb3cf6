// The pages without a session: the login page, the pages for a forgotten password, the page for the code of the second
// factor, the setup page, and the page behind a link with which a user sets a password.

import type { Page } from 'playwright-core';
import { makeInvite } from '../../src/kernel/users/invitations.ts';
import { TESTER } from '../support/actors.ts';
import { setupMail } from '../support/setup-mail.ts';
import { startTestService } from '../support/test-service.ts';
import { enrol } from '../web/enrolled.ts';
import { addUser, loggedIn, PASSWORD } from '../web/web-client.ts';
import type { Desk, PageOptions } from './desk.ts';

const EMAIL = 'nachtdienst@example.org';

/** Opens each of these pages once per entry of `inputs` and calls `look` with the name of the page. */
export async function checkDoors(
  { service, open }: Pick<Desk, 'service' | 'open'>,
  inputs: PageOptions[],
  look: (page: Page, name: string, input: PageOptions) => Promise<void>,
): Promise<void> {
  await addUser(service, EMAIL, 'operator');
  await enrol(service, await loggedIn(service, EMAIL));
  const untouched = await startTestService();
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  const invited = { email: 'neu@example.org', name: 'Neu', role: 'operator' } as const;
  await setupMail(service);
  await service.beside.settings.change({ publicUrl: 'https://wifi.example.org' }, audit);
  const link = await makeInvite(service.beside).newUser(invited, audit);
  for (const input of inputs) {
    const page = await open(input);
    await page.goto('/login');
    await look(page, 'sign-in', input);
    await page.locator('a[href="/login/forgotten"]').click();
    await page.waitForURL(/\/login\/forgotten/);
    await look(page, 'forgotten-password', input);
    await page.locator('#email').fill('nobody@example.org');
    await Promise.all([page.waitForEvent('load'), page.locator('#email').press('Enter')]);
    await look(page, 'forgotten-password-sent', input);
    await page.goto('/login');
    await page.locator('#email').fill(EMAIL);
    await page.locator('#password').fill(PASSWORD);
    await page.locator('#password').press('Enter');
    await page.waitForURL(/\/login\/code/);
    await look(page, 'sign-in-code', input);
    await page.goto(`/invitation/${link?.token}`);
    await look(page, 'invitation', input);
    await page.goto('/invitation/unknown');
    await look(page, 'invitation-void', input);
    await page.goto(`${untouched.url}/setup`);
    await look(page, 'setup', input);
    await page.context().close();
  }
  await untouched.stop();
}
