// A desk with a real browser at it: a real service with one site, somebody who may do everything, and pages of
// any size, language and theme. One browser for a file of tests, a fresh profile for each page.

import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Language } from '../../src/web/language.ts';
import { de } from '../../src/web/words/de.ts';
import { en } from '../../src/web/words/en.ts';
import { launchChromium } from '../support/chromium.ts';
import { startTestService, type TestOptions, type TestService } from '../support/test-service.ts';
import { addPerson, PASSWORD } from '../web/visitor.ts';

export const WORDS = { de, en };
export const SIZES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
};
export const EMAIL = 'anna@example.org';
const PATIENCE_MS = 10_000;

export interface PageWish {
  language?: Language;
  size?: keyof typeof SIZES;
  theme?: 'light' | 'dark';
  options?: BrowserContextOptions;
}

/** Every language on every screen. */
export const EVERY_WISH: Required<Pick<PageWish, 'language' | 'size'>>[] = [
  { language: 'de', size: 'desktop' },
  { language: 'de', size: 'phone' },
  { language: 'en', size: 'desktop' },
  { language: 'en', size: 'phone' },
];

export interface Desk {
  service: TestService;
  /** A page in a profile of its own, not signed in. */
  open(wish?: PageWish): Promise<Page>;
  /** All of them in one session, which saves a hashed password each time. */
  openSignedIn(wish?: PageWish): Promise<Page>;
  close(): Promise<void>;
}

export async function setUpDesk(options?: TestOptions): Promise<Desk> {
  const service = await startTestService(options);
  await addPerson(service, EMAIL, 'admin');
  const browser = await launchChromium();

  async function open({ language = 'de', size = 'desktop', theme = 'light', options }: PageWish = {}) {
    const context = await browser.newContext({
      baseURL: service.url,
      locale: language,
      viewport: SIZES[size],
      colorScheme: theme,
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    return context.newPage();
  }

  let session: ReturnType<typeof begin> | undefined;
  async function begin() {
    const page = await open();
    await signIn(page);
    const cookies = await page.context().storageState();
    await page.context().close();
    return cookies;
  }

  return {
    service,
    open,
    async openSignedIn(wish) {
      session ??= begin();
      const page = await open({ ...wish, options: { ...wish?.options, storageState: await session } });
      await page.goto('/');
      return page;
    },
    async close() {
      await browser.close();
      await service.stop();
    },
  };
}

/** As somebody does it: at the door, with e-mail, password and Enter. */
export async function signIn(page: Page, password = PASSWORD, email = EMAIL): Promise<void> {
  await page.goto('/login');
  await page.locator('#email').fill(email);
  await page.locator('#password').fill(password);
  await page.locator('#password').press('Enter');
  await page.waitForURL((url) => url.pathname === '/');
}

/** Through the form on the first page; ends on the page of the result. */
export async function makeVouchers(page: Page, name: string, count = 1, site?: string): Promise<void> {
  await page.goto('/');
  if (site) await page.locator('#site').selectOption(site);
  await page.locator('#name').fill(name);
  if (count > 1) await page.locator('#count').fill(String(count));
  await page.locator('form[action="/vouchers"] button[type="submit"]').click();
  await page.waitForURL(/\/batches\//);
}
