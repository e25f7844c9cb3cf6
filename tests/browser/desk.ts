// A front desk with a real browser: a real service with one site and an administrator, and pages of any size, language
// and theme. One browser per test file, a new browser profile for each page.

import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { SimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { MESSAGES as WORDS } from '../../src/kernel/texts/messages.ts';
import type { Language } from '../../src/platform/text/language.ts';
import { TESTER } from '../support/actors.ts';
import { launchChromium } from '../support/chromium.ts';
import { startTestService, type TestOptions, type TestService } from '../support/test-service.ts';
import { addUser, PASSWORD } from '../web/web-client.ts';

export { WORDS };
export const SIZES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
};
export const EMAIL = 'anna@example.org';
/** Long enough for a busy machine. A test that passes never waits this long. */
const PATIENCE_MS = 30_000;

export interface PageOptions {
  language?: Language;
  size?: keyof typeof SIZES;
  theme?: 'light' | 'dark';
  options?: BrowserContextOptions;
}

export type Screen = Required<Pick<PageOptions, 'language' | 'size'>>;

/** Every language on every screen, for frequent tasks. */
export const EVERY_OPTION: Screen[] = [
  { language: 'de', size: 'desktop' },
  { language: 'de', size: 'phone' },
  { language: 'en', size: 'desktop' },
  { language: 'en', size: 'phone' },
];

/** Each language and each screen once, for occasional tasks. */
export const EACH_ONCE: Screen[] = [
  { language: 'de', size: 'desktop' },
  { language: 'en', size: 'phone' },
];

export interface Desk {
  service: TestService;
  /** Opens a page in its own browser profile, not logged in. */
  open(input?: PageOptions): Promise<Page>;
  /** All pages share one session, which saves hashing a password each time. */
  openLoggedIn(input?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

export async function setupDesk(options?: TestOptions): Promise<Desk> {
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
    await login(page);
    const cookies = await page.context().storageState();
    await page.context().close();
    return cookies;
  }

  return {
    service,
    open,
    async openLoggedIn(input) {
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

/** Logs in as a user does: on the login page, with e-mail address, password and Enter. */
export async function login(page: Page, password = PASSWORD, email = EMAIL): Promise<void> {
  await page.goto('/login');
  await page.locator('#email').fill(email);
  await page.locator('#password').fill(password);
  await page.locator('#password').press('Enter');
  await page.waitForURL((url) => url.pathname === '/');
}

/**
 * Clicks, and waits until the next page is completely loaded: a click alone waits only for the first bytes. The load
 * event decides, because the next page may have the same URL as this page.
 */
export async function follow(link: Locator, address: Parameters<Page['waitForURL']>[0]): Promise<void> {
  const page = link.page();
  // Otherwise the load event of this page could be mistaken for the load event of the next page.
  await page.waitForLoadState();
  await Promise.all([page.waitForEvent('load'), link.click()]);
  await page.waitForURL(address);
}

/**
 * Waits for the result of the form: for the way to create more, which the page shows only when the whole batch has been
 * created. A locator finds the link even if a second click has aborted the navigation of the first click.
 */
export async function untilMade(page: Page): Promise<void> {
  await page.locator('.again, .actions a[href^="/?"]').first().waitFor();
  await page.waitForURL(/\/batches\//);
}

/** Stops the timers of a page that removes a message after a while: a slow machine would miss the message. */
export async function stopTimers(page: Page): Promise<void> {
  await page.evaluate('window.setTimeout = () => 0');
}

/** Uses the form on the home page; ends on the result page. */
export async function makeVouchers(page: Page, name: string, count = 1, site?: string): Promise<void> {
  await page.goto('/');
  if (site) await page.locator('#site').selectOption(site);
  await page.locator('#name').fill(name);
  if (count > 1) await page.locator('#count').fill(String(count));
  await page.locator('form[action="/vouchers"] button[type="submit"]').click();
  await untilMade(page);
}

/** Adds a site on a simulated console, as if it had been set up before. */
export function addConsole(
  { service }: Pick<Desk, 'service'>,
  { url, apiKey, fingerprint256 }: SimulatedConsole,
  { name, controllerSite = 'default' }: { name: string; controllerSite?: string },
): Promise<number> {
  const trust = { kind: 'pinned', fingerprint256: fingerprint256.replaceAll(':', '') } as const;
  const connection = { url, credentials: { apiKey }, trust };
  const site = {
    name,
    active: true,
    controllerKind: 'unifi',
    controllerSite,
    connection,
  } as const;
  return service.beside.sites.add(site, { actor: TESTER, atMs: service.clock.nowMs() });
}

/** Finds elements of a page by their labels, in the given language and on the given screen. */
export function handsOn(page: Page, { language, size }: Screen) {
  const words = WORDS[language];
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  return {
    language,
    words,
    button,
    link,
    field: (label: string) => page.locator('main').getByLabel(label, { exact: true }),
    row: (text: string) => page.getByRole('row').filter({ hasText: text }),
    /** Waits until the page is completely loaded: elements below the text may come after it. */
    async shown(text: string): Promise<void> {
      await page.locator('main').getByText(text).first().waitFor();
      await page.waitForLoadState();
    },
    /** Waits for the status message after an action, and until the page is completely loaded. */
    async told(text: string): Promise<void> {
      await page.getByRole('status').getByText(text).waitFor();
      await page.waitForLoadState();
    },
    /** Uses the menu; on a phone most of the menu is collapsed. Items may also show a number of problems. */
    async goTo(label: string): Promise<void> {
      const menu = page.getByRole('navigation', { name: words.nav.main });
      if (size === 'phone') await menu.getByRole('button', { name: words.nav.more }).click();
      const item = menu.getByTitle(label, { exact: true });
      const path = await item.getAttribute('href');
      await follow(item, (url) => url.pathname === path);
    },
    /** Follows the link and returns the file that the browser saves. */
    async download(name: string): Promise<Buffer> {
      const [saved] = await Promise.all([page.waitForEvent('download'), link(name).click()]);
      return readFile(await saved.path());
    },
  };
}
