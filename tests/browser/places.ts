// A page as somebody has it before them: by whom, where, and what they have sent to get there. And the way to it in a
// browser, or without one.

import assert from 'node:assert/strict';
import type { Page as BrowserPage } from 'playwright-core';
import type { TestService } from '../support/test-service.ts';
import type { Page, WebClient } from '../web/web-client.ts';

export interface Place {
  by: WebClient;
  path: string;
  /** Of a form that answers with a page: each visit sends it anew. Without them the page is opened. */
  fields?: () => Record<string, string>;
  /** 200 unless it says otherwise. */
  status?: number;
}

/** As whoever the page is for. Another page than the one that is meant is an error. */
export async function openPlace(
  { url }: Pick<TestService, 'url'>,
  page: BrowserPage,
  { by, path, fields, status = 200 }: Place,
): Promise<void> {
  await keepFromReloading(page);
  await page.context().addCookies([...by.cookies].map(([name, value]) => ({ name, value, url })));
  const answered = fields ? await send(page, path, fields()) : (await page.goto(path))?.status();
  assert.equal(answered, status, path);
}

const kept = new WeakSet<BrowserPage>();

/** A page that reloads itself stays as it is. It is told so by its own load event, before its time begins to run. */
async function keepFromReloading(page: BrowserPage): Promise<void> {
  if (kept.has(page)) return;
  kept.add(page);
  await page.addInitScript(
    `addEventListener('load', () => document.querySelector('meta[http-equiv="refresh"]') && stop())`,
  );
}

/** From the account page, with its token. */
async function send(page: BrowserPage, path: string, fields: Record<string, string>): Promise<number> {
  await page.goto('/account');
  const loaded = page.waitForEvent('load');
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.evaluate(`{
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: ${JSON.stringify(path)} });
    const token = document.querySelector('[name="token"]').value;
    for (const [name, value] of Object.entries({ token, ...${JSON.stringify(fields)} }))
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    document.body.append(form);
    form.submit();
  }`);
  const [{ status }] = await Promise.all([answer.then((got) => ({ status: got.status() })), loaded]);
  return status;
}

export async function fetchPlace({ by, path, fields, status = 200 }: Place): Promise<Page> {
  const page = fields ? await by.post(path, fields()) : await by.get(path);
  assert.equal(page.status, status, path);
  return page;
}
