// A desk with a real browser at it: a real service with one site, somebody who may do everything, and pages of
// any size, language and theme. One browser for a file of tests, a fresh profile for each page.

import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { SimulatedController } from '../../src/unifi-console/server.ts';
import { de } from '../../src/web/i18n/de.ts';
import { en } from '../../src/web/i18n/en.ts';
import type { Language } from '../../src/web/i18n/language.ts';
import { TESTER } from '../support/actors.ts';
import { launchChromium } from '../support/chromium.ts';
import { startTestService, type TestOptions, type TestService } from '../support/test-service.ts';
import { addUser, PASSWORD } from '../web/web-client.ts';

export const WORDS = { de, en };
export const SIZES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
};
export const EMAIL = 'anna@example.org';
/** For a machine that is busy with other things. A test that passes never waits this long. */
const PATIENCE_MS = 30_000;

export interface PageOptions {
  language?: Language;
  size?: keyof typeof SIZES;
  theme?: 'light' | 'dark';
  options?: BrowserContextOptions;
}

export type Screen = Required<Pick<PageOptions, 'language' | 'size'>>;

/** Every language on every screen: for what is done all day. */
export const EVERY_OPTION: Screen[] = [
  { language: 'de', size: 'desktop' },
  { language: 'de', size: 'phone' },
  { language: 'en', size: 'desktop' },
  { language: 'en', size: 'phone' },
];

/** Each language and each screen once: for what is done now and then. */
export const EACH_ONCE: Screen[] = [
  { language: 'de', size: 'desktop' },
  { language: 'en', size: 'phone' },
];

export interface Desk {
  service: TestService;
  /** A page in a profile of its own, not signed in. */
  open(input?: PageOptions): Promise<Page>;
  /** All of them in one session, which saves a hashed password each time. */
  openSignedIn(input?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

export async function setUpDesk(options?: TestOptions): Promise<Desk> {
  const service = await startTestService(options);
  await addUser(service, EMAIL, 'admin');
  const browser = await launchChromium();

  async function open({ language = 'de', size = 'desktop', theme = 'light', options }: PageOptions = {}) {
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
    async openSignedIn(input) {
      session ??= begin();
      const page = await open({ ...input, options: { ...input?.options, storageState: await session } });
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

/**
 * Clicks, and waits until the next page is whole: a click alone waits for the first bytes of that page. The load event
 * is what counts, because the address of the next page may be the address of this one.
 */
export async function follow(link: Locator, address: Parameters<Page['waitForURL']>[0]): Promise<void> {
  const page = link.page();
  // Otherwise the load event of this page could be taken for the one of the next page.
  await page.waitForLoadState();
  await Promise.all([page.waitForEvent('load'), link.click()]);
  await page.waitForURL(address);
}

/**
 * Waits for the result of the form: for the link that leads back to the form, which the page has only when the whole
 * batch is made. A locator finds it also after a second click has aborted the navigation of the first one.
 */
export async function untilMade(page: Page): Promise<void> {
  await page.locator('.actions a[href^="/?"]').waitFor();
  await page.waitForURL(/\/batches\//);
}

/** Stops the timers of a page that takes its words back after a while: a slow machine would miss them. */
export async function stopTimers(page: Page): Promise<void> {
  await page.evaluate('window.setTimeout = () => 0');
}

/** Through the form on the first page; ends on the page of the result. */
export async function makeVouchers(page: Page, name: string, count = 1, site?: string): Promise<void> {
  await page.goto('/');
  if (site) await page.locator('#site').selectOption(site);
  await page.locator('#name').fill(name);
  if (count > 1) await page.locator('#count').fill(String(count));
  await page.locator('form[action="/vouchers"] button[type="submit"]').click();
  await untilMade(page);
}

/** A site on a simulated console, as if somebody had set it up before. */
export function addConsole(
  { service }: Pick<Desk, 'service'>,
  { url, apiKey, fingerprint256 }: SimulatedController,
  { name, controllerSite = 'default' }: { name: string; controllerSite?: string },
): Promise<number> {
  const trust = { kind: 'pinned', fingerprint256: fingerprint256.replaceAll(':', '') } as const;
  const access = { url, credentials: { apiKey }, trust };
  const site = { name, active: true, controllerKind: 'unifi', controllerSite, access } as const;
  return service.beside.sites.add(site, { actor: TESTER, atMs: service.clock.nowMs() });
}

/** How somebody finds their way on a page, in the language and on the screen they have. */
export function handsOn(page: Page, { language, size }: Screen) {
  const words = WORDS[language];
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  return {
    words,
    button,
    link,
    field: (label: string) => page.locator('main').getByLabel(label, { exact: true }),
    row: (text: string) => page.getByRole('row').filter({ hasText: text }),
    /** Ends when the page is whole: what stands below the text may come after it. */
    async shown(text: string): Promise<void> {
      await page.locator('main').getByText(text).first().waitFor();
      await page.waitForLoadState();
    },
    /** What a page says after something was done. Ends when the page is whole, too. */
    async told(text: string): Promise<void> {
      await page.getByRole('status').getByText(text).waitFor();
      await page.waitForLoadState();
    },
    /** By the menu; on a phone most of it is folded away. */
    async goTo(label: string): Promise<void> {
      if (size === 'phone') await button(words.nav.more).click();
      const item = page.getByRole('navigation').getByRole('link', { name: label, exact: true });
      const path = await item.getAttribute('href');
      await follow(item, (url) => url.pathname === path);
    },
    /** What the browser saves when this link is followed. */
    async download(name: string): Promise<Buffer> {
      const [saved] = await Promise.all([page.waitForEvent('download'), link(name).click()]);
      return readFile(await saved.path());
    },
  };
}
