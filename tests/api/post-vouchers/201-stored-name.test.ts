// POST /vouchers.php → 201: the stored name, `<YYYY-MM-DD>_<name>`. The date is the calendar date in the service's time
// zone; the name is the name in the request after trimming.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { upstreamVouchers } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ clock: makeFakeClock('2026-01-15T11:28:51.000Z'), webhook: true });
});
after(() => service.stop());

async function storedName(name: unknown, at = service): Promise<string> {
  const reply = await at.call('POST', 'vouchers.php', { body: { site_id: 1, name } });
  assert.equal(reply.status, 201);
  const listed = await at.call('GET', 'vouchers.php?site_id=1');
  assert.equal(upstreamVouchers(at).at(-1)?.name, listed.json.vouchers[0].voucher_name);
  return listed.json.vouchers[0].voucher_name;
}

const moments = [
  { at: '2026-01-15T22:59:59.999Z', date: '2026-01-15', says: 'just before midnight in winter' },
  { at: '2026-01-15T23:00:00.000Z', date: '2026-01-16', says: 'midnight in winter, still yesterday in UTC' },
  { at: '2026-07-15T21:59:59.999Z', date: '2026-07-15', says: 'just before midnight in summer' },
  { at: '2026-07-15T22:00:00.000Z', date: '2026-07-16', says: 'midnight in summer, still yesterday in UTC' },
  { at: '2026-12-31T23:30:00.000Z', date: '2027-01-01', says: 'New Year, still the old one in UTC' },
  { at: '2028-02-28T23:30:00.000Z', date: '2028-02-29', says: 'the leap day' },
];
// Contract: voucher_name | string | Stored name: `<YYYY-MM-DD>_<name>`, where …
for (const { at, date, says } of moments)
  test(`the default time zone of the date is Europe/Berlin: ${says}`, async () => {
    service.clock.advance(Date.parse(at) - service.clock.nowMs());
    assert.equal(await storedName('Datum'), `${date}_Datum`);
  });

// Contract: voucher_name | string | Stored name: `<YYYY-MM-DD>_<name>`, where …
for (const [TZ, date] of [
  ['UTC', '2026-01-15'],
  ['Pacific/Auckland', '2026-01-16'],
  ['America/Los_Angeles', '2026-01-15'],
] as const)
  test(`TZ sets the time zone of the date: ${TZ}`, async () => {
    const elsewhere = await startTestService({
      environment: { TZ },
      clock: makeFakeClock('2026-01-15T23:30:00.000Z'),
    });
    try {
      assert.equal(await storedName('Datum', elsewhere), `${date}_Datum`);
    } finally {
      await elsewhere.stop();
    }
  });

/** Without `stored`, the name is stored unchanged. */
const names: [says: string, name: unknown, stored?: string][] = [
  ['blanks around it are trimmed', '  Zimmer 12  ', 'Zimmer 12'],
  ['blanks inside it stay', 'Zimmer  12'],
  ['tabs and line ends around it are trimmed', '\t\r\nZimmer 12\n\v\f', 'Zimmer 12'],
  [
    'every kind of Unicode white space around it is trimmed',
    '\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeffA\ufeff\u3000\u205f\u2029\u00a0\u0085',
    'A',
  ],
  ['a number is taken as its text', 12, '12'],
  ['a fraction is taken as its text', 12.5, '12.5'],
  ['a negative number is taken as its text', -7, '-7'],
  ['zero is a name', 0, '0'],
  ['the text "0" is a name', '0'],
  ['umlauts stay', 'Gäste Müßig'],
  ['emoji of several code points stay', 'Familie \u{1F469}\u200d\u{1F469}\u200d\u{1F467}'],
  ['right-to-left text and marks stay', '\u05d7\u05d3\u05e8 \u200f12\u200e'],
  ['composed and decomposed letters are not changed into each other', 'Cafe\u0301 Caf\u00e9'],
  ['quotes, backslashes and markup stay', `"'\\</b>;--%00`],
  ['an underscore and a date stay', '2020-01-01_x'],
];
// Contract: voucher_name | string | Stored name: `<YYYY-MM-DD>_<name>`, where …
// Contract: name | string | yes | none | Trimmed; must not be empty after …
for (const [says, name, stored] of names)
  test(`the name: ${says}`, async () => {
    const withDate = await storedName(name);
    assert.match(withDate, /^\d{4}-\d\d-\d\d_/);
    assert.equal(withDate.slice('2026-01-15_'.length), stored ?? name);
  });

// Contract: Upper bounds for max_uses, expire_minutes and qos values, and …
test('a name of 244 characters is stored in full; the limit counts characters, not bytes', async () => {
  for (const name of ['x'.repeat(244), 'ß'.repeat(244), '\u{1F3AB}'.repeat(244), ` ${'y'.repeat(244)} `])
    assert.ok((await storedName(name)).endsWith(`_${name.trim()}`));
});
