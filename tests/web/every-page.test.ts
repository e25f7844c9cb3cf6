// Tests every page that has a route, with a full list of the longest names: with its stylesheets and scripts a page is
// smaller than 100 kB, it loads the stylesheets of its classes, only they block rendering, and a kept form can name
// every field.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_PRINTER_NAME_LENGTH } from '../../src/features/printers/printer.ts';
import { MAX_NAME_LENGTH, MAX_REFERENCE_LENGTH } from '../../src/kernel/vouchers/voucher-order.ts';
import { readFormTexts } from '../../src/platform/pages/ui/form-texts.ts';
import { EMAIL } from '../browser/desk.ts';
import { type Furnished, furnish } from '../browser/every-page.ts';
import { fetchPlace } from '../browser/places.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, type Page, type WebClient } from './web-client.ts';

const MAX_BODY_BYTES = 100_000;
/** More vouchers than one page of the list shows. */
const VOUCHERS = 60;
/** Print pages are exempt, because they contain a QR code for each voucher. */
const isPaper = (name: string) => /\bprint\b/.test(name);
/** The stylesheet of every page. The others are for some pages only. */
const isForAll = (path: string) => path.startsWith('/assets/style-');
/** The classes for which a stylesheet has rules. */
const classesOf = (css: string) =>
  new Set([...css.matchAll(/\.([a-z][a-z-]*)/g)].map(([, name]) => name ?? ''));
/** The list has a rule for this class; the choice of sites uses the class without one. */
const WITHOUT_RULE = 'selected';
/** The renderer of the API description is exempt, because only developers load it. */
const isRenderer = (path: string) => path.startsWith('/assets/swagger-ui');

let service: TestService;
let webClient: WebClient;
let furnished: Furnished | undefined;
/** The pages by name. */
const pages = new Map<string, Page>();

before(async () => {
  service = await startTestService();
  await addUser(service, EMAIL, 'admin');
  furnished = await furnish({ service });
  for (let i = 0; i < VOUCHERS; i++)
    service.change(
      `insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
        controller_voucher_id, used_count, created_at_s, first_used_at_s, reference)
      values (1, ?, ?, 1, 480, 0, 0, 0, ?, 1, ?, ?, ?)`,
      String(4_000_000_000 + i),
      `2026-01-15_${'ü'.repeat(MAX_NAME_LENGTH)}`,
      `long-${i}`,
      Math.floor(service.clock.nowMs() / 1000) + i,
      Math.floor(service.clock.nowMs() / 1000),
      'ü'.repeat(MAX_REFERENCE_LENGTH),
    );
  addPrintJobs();
  webClient = await loggedIn(service, EMAIL);
  pages.set('sign-in', await makeWebClient(service).get('/login'));
  for (const [name, place] of Object.entries(furnished.places)) pages.set(name, await fetchPlace(place));
});
after(async () => {
  await furnished?.stop();
  await service.stop();
});

/** The only printer of the site is the one that row menus offer. It may have printed the slip of each voucher. */
function addPrintJobs(): void {
  const name = 'ü'.repeat(MAX_PRINTER_NAME_LENGTH);
  service.change('update printers set name = ?, site_id = 1', name);
  service.change('delete from printers where id < (select max(id) from printers)');
  service.change(
    `insert into messages (channel, recipient_id, event_id, kind, payload, state, occurred_at_ms, finished_at_ms, voucher_id)
    select 'printer', (select max(id) from printers), 'printed ' || id, 'slip', ?, 'uncertain', 1, 1, id from vouchers`,
    JSON.stringify({ printer: name }),
  );
}

const stylesheetsOf = ({ text }: Page) =>
  [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path = '']) => path);
const scriptsOf = ({ text }: Page) => [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);

test('every page is smaller than 100 kB, including stylesheet and script', async () => {
  assert.ok(pages.size > 20, `only ${pages.size} pages were found`);
  const sizes = new Map<string, number>();
  const assets = new Map<string, number>();
  for (const [name, page] of pages) {
    if (isPaper(name)) continue;
    const scripts = scriptsOf(page).map((tag) => /src="([^"]+)"/.exec(tag)?.[1] ?? '');
    let bytes = Buffer.byteLength(page.text);
    for (const asset of [...stylesheetsOf(page), ...scripts].filter((path) => !isRenderer(path)))
      bytes += assets.get(asset) ?? (await weigh(asset));
    sizes.set(name, bytes);
  }
  async function weigh(asset: string): Promise<number> {
    const bytes = Buffer.byteLength((await webClient.get(asset)).text);
    assets.set(asset, bytes);
    return bytes;
  }
  assert.deepEqual(
    [...sizes].filter(([, bytes]) => bytes >= MAX_BODY_BYTES),
    [],
  );
  const list = pages.get('vouchers')?.text ?? '';
  assert.ok(list.length > 50 * 2 * MAX_NAME_LENGTH, 'the list is full of long names');
  const rows = list.split('<tr').length - 1;
  assert.equal(list.split('#i-print').length, rows, 'each voucher has a mark');
  assert.equal(list.split('form="at-').length, rows, 'each voucher can be printed');
});

test('every page loads the common stylesheet first, and no script that blocks rendering', () => {
  for (const [name, page] of pages) {
    assert.deepEqual(stylesheetsOf(page).map(isForAll).indexOf(true), 0, name);
    for (const tag of scriptsOf(page)) assert.match(tag, / src="\/assets\/[^"]+".* defer/, name);
    assert.doesNotMatch(page.text, /<(?:link|script|img|iframe)\b[^>]*(?:src|href)="(?:https?:)?\/\//, name);
  }
});

test('every page loads a stylesheet with rules for each of its classes, if there is one', async () => {
  const styled = new Map<string, Set<string>>();
  for (const path of new Set([...pages.values()].flatMap(stylesheetsOf)))
    styled.set(path, classesOf((await webClient.get(path)).text));
  const missing: string[] = [];
  for (const [name, page] of pages) {
    const loaded = new Set(stylesheetsOf(page).flatMap((path) => [...(styled.get(path) ?? [])]));
    const used = new Set(
      [...page.text.matchAll(/ class="([^"]+)"/g)].flatMap(([, list = '']) => list.split(' ')),
    );
    for (const [path, classes] of styled)
      for (const one of used)
        if (classes.has(one) && !loaded.has(one) && one !== WITHOUT_RULE)
          missing.push(`${name} .${one} ${path}`);
  }
  assert.deepEqual(missing, []);
});

test('every visible field of a form has a label, which is shown when the form is kept', () => {
  const actionsOf = ({ text }: Page) =>
    [...text.matchAll(/<form [^>]*method="post" action="([^"]+)"/g)].map(([, action = '']) => action);
  const forms = [...pages].flatMap(([name, page]) =>
    actionsOf(page).map((action) => ({ name, action, texts: readFormTexts(page.text, action) })),
  );
  const unnamed = forms.flatMap(({ name, action, texts }) =>
    [...(texts?.fields ?? [])]
      .filter(([, { type, label, choices }]) => type !== 'hidden' && !label && choices.size === 0)
      .map(([field]) => `${name} ${action} ${field}`),
  );
  assert.ok(forms.length > 100, `only ${forms.length} forms were found`);
  assert.deepEqual(unnamed, []);
});
