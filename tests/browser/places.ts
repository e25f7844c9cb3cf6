// A page to be checked: the user, the path, and the form fields to be sent. Opens it in a browser, or fetches it
// without a browser.

import assert from 'node:assert/strict';
import type { Page as BrowserPage } from 'playwright-core';
import type { TestService } from '../support/test-service.ts';
import type { Page, WebClient } from '../web/web-client.ts';

export interface Place {
  by: WebClient;
  path: string;
  /**
   * The fields of a form whose response is a page; the form is sent again on each visit. Without fields, the page is
   * opened.
   */
  fields?: () => Record<string, string>;
  /** The expected status, 200 by default. */
  status?: number;
}

/** Opens the page as its user. Fails if the response has another status than expected. */
export async function openPlace(
  { url }: Pick<TestService, 'url'>,
  page: BrowserPage,
  { by, path, fields, status = 200 }: Place,
): Promise<void> {
  await keepFromReloading(page);
  await page.context().addCookies([...by.cookies].map(([name, value]) => ({ name, value, url })));
  const responded = fields ? await send(page, path, fields()) : (await page.goto(path))?.status();
  assert.equal(responded, status, path);
}

const kept = new WeakSet<BrowserPage>();

/** Stops the automatic reload of a page. The page's own load event does this, before the delay of the reload begins. */
async function keepFromReloading(page: BrowserPage): Promise<void> {
  if (kept.has(page)) return;
  kept.add(page);
  await page.addInitScript(
    `addEventListener('load', () => document.querySelector('meta[http-equiv="refresh"]') && stop())`,
  );
}

/** Sends the form from the account page, with the token of that page. */
async function send(page: BrowserPage, path: string, fields: Record<string, string>): Promise<number> {
  await page.goto('/account');
  const loaded = page.waitForEvent('load');
  const responded = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.evaluate(`{
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: ${JSON.stringify(path)} });
    const token = document.querySelector('[name="token"]').value;
    for (const [name, value] of Object.entries({ token, ...${JSON.stringify(fields)} }))
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    document.body.append(form);
    form.submit();
  }`);
  const [{ status }] = await Promise.all([responded.then((got) => ({ status: got.status() })), loaded]);
  return status;
}

export async function fetchPlace({ by, path, fields, status = 200 }: Place): Promise<Page> {
  const page = fields ? await by.post(path, fields()) : await by.get(path);
  assert.equal(page.status, status, path);
  return page;
}
