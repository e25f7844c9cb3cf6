// Every page there is: of a front desk with a day's vouchers on it, and as somebody finds them who follows each
// link, so that a page that is added later is among them.

import type { Page } from 'playwright-core';
import { signedIn } from '../web/visitor.ts';
import { type Desk, EMAIL } from './desk.ts';

const MINUTE_MS = 60_000;
const GUESTS = [
  'Zimmer 4',
  'Frau Okafor',
  'Zimmer 21',
  'Tagung Lindner GmbH',
  'Zimmer 7',
  'Herr Sørensen',
  'Zimmer 15',
];

/** A day at a front desk: vouchers in every state, a batch, and one that failed. Answers where each page is. */
export async function furnish({ service }: Pick<Desk, 'service'>): Promise<Record<string, string>> {
  const anna = await signedIn(service, EMAIL);
  const nowS = () => Math.floor(service.clock.nowMs() / 1000);
  async function make(name: string, fields: Record<string, string> = {}): Promise<string> {
    service.clock.advance(4 * MINUTE_MS);
    return (await anna.post('/vouchers', { site: '1', name, ...fields })).location ?? '';
  }

  service.change("update sites set name = 'Hotel Seeblick'");
  await make('Hochzeit Petersen', { count: '12', validity: '1440' });
  const batch = await make('Familienfeier', { count: '12', uses: '2' });
  for (const name of GUESTS) await make(name);
  const [last] = service.rows('select max(id) as id from vouchers');
  const use = (back: number, { max = 1, agoS = 4_000 } = {}) =>
    service.change(
      'update vouchers set used_count = 1, max_uses = ?, first_used_at_s = ? where id = ?',
      max,
      nowS() - agoS,
      Number(last?.id) - back,
    );
  use(0, { max: 3, agoS: 1_200 });
  use(2);
  use(3, { agoS: 40_000 });
  use(5);
  const one = await make('Zimmer 12');
  const away = await service.addSite('fail:unreachable', 'Strandhaus');
  const failed = await make('Zimmer 3', { site: String(away), count: '2' });
  return {
    'new-voucher': '/',
    result: one,
    batch,
    'batch-failed': failed,
    'print-sheet': `${batch}/print`,
    'print-slip': `${batch}/print?paper=slip`,
    vouchers: '/vouchers',
    'vouchers-nothing-found': '/vouchers?q=Zimmer+99',
    voucher: `/vouchers/${last?.id}`,
    account: '/account',
    keys: '/keys',
    'not-found': '/nowhere',
  };
}

/** One path of each kind: of all vouchers the first that is met. */
export async function findPages(page: Page, from: string[]): Promise<string[]> {
  const found = new Map<string, string>();
  const waiting = [...from];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    // What is asked for by the test itself is a kind of its own.
    const kind = from.includes(path)
      ? path
      : path.replace(/\?.*/, '').replace(/\/(\d+|[\w-]{16,})(?=\/|$)/g, '/:id');
    if (found.has(kind)) continue;
    const answer = await page.request.get(path);
    if (!(answer.headers()['content-type'] ?? '').startsWith('text/html')) continue;
    found.set(kind, path);
    const links = (await answer.text()).matchAll(/<a [^>]*href="(\/[^"#]*)/g);
    waiting.push(...[...links].map(([, link = '/']) => link.replaceAll('&amp;', '&')));
  }
  return [...found.values()];
}
