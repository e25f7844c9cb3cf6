// The pictures of slips and test pages. QR codes are read back from the bytes of all three kinds of printers.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import jsqr from 'jsqr';
import { toPixels } from '../../../../tests/support/read-png.ts';
import { readCloudPrntJob, readEposXml, readEscPosJob } from '../../../../tests/support/read-print-jobs.ts';
import { asMessageId } from '../../../kernel/ids.ts';
import type { PrintedSlip } from '../../../kernel/slips/printed-slip.ts';
import { type Bitmap, DOTS_PER_MM, ROLL_DOTS } from '../../../platform/drawing/bitmap.ts';
import { makeDrawInThread } from '../../../platform/drawing/draw-in-thread.ts';
import type { Receipt } from '../drawing/receipt-layout.ts';
import { PRINTER_LAYOUTS, ROLL_WIDTHS } from '../printer.ts';
import { writeCloudPrntJob } from './cloudprnt-job.ts';
import { writeEposXml } from './epos-xml.ts';
import { writeEscPosJob } from './escpos-job.ts';

const stop = new AbortController();
after(() => stop.abort());
const { drawPicture } = makeDrawInThread({ stopping: stop.signal });

const JOIN = 'WIFI:T:WPA;S:Hotel-Gast;P:Il1O0-süß;;';
const USUAL: PrintedSlip = {
  theme: 'classic',
  colour: '#000000',
  language: 'de',
  title: 'Grand Hotel Bellevue',
  logo: undefined,
  logoHasName: false,
  site: 'Haus am See',
  name: 'WLAN-Zugang · Zimmer 12',
  code: '04827-15936',
  guides: [{ language: 'de', allowance: '2 Geräte, 8 Stunden ab erster Nutzung', steps: ['Verbinden'] }],
  wifi: [{ labels: ['WLAN'], value: 'Hotel-Gast', isPassword: false, isInSteps: true }],
  qr: { text: JOIN, caption: 'Mit dem WLAN verbinden' },
  text: '',
};
const CODE_ONLY: PrintedSlip = {
  ...USUAL,
  wifi: [],
  qr: { text: '0482715936', caption: 'Code zum Scannen' },
};
/** The longest texts in the widest and the rarest letters. */
const HARD: PrintedSlip = {
  ...USUAL,
  theme: 'strong',
  site: 'W'.repeat(40),
  name: 'غرفة ١٢ 😀👨‍👩‍👧‍👦 Žluťoučký Καλημέρα Привет 東京 <&">',
  guides: ['de', 'en'].map((language) => ({
    language,
    allowance:
      'beliebig viele Geräte, gültig bis Fr., 20. Nov. 2027, 11:00 Uhr, ↓ 10 Mbit/s, ↑ 10 Mbit/s, 10 GB',
    steps: Array.from({ length: 5 }, () => 'M'.repeat(60)),
  })),
  wifi: [
    { labels: ['WLAN', 'Wi-Fi'], value: 'W'.repeat(32), isPassword: false, isInSteps: false },
    { labels: ['Passwort', 'Password'], value: 'm'.repeat(63), isPassword: true, isInSteps: false },
  ],
  qr: {
    text: `WIFI:T:WPA;S:${'\\;'.repeat(32)};P:${'\\;'.repeat(63)};;`,
    caption: 'Mit dem WLAN verbinden\nConnect to the Wi-Fi',
  },
  text: 'שלום Süd '.repeat(450),
};

function draw(receipt: Partial<Receipt>): Promise<Bitmap> {
  const whole = { slip: USUAL, paper: 80, layout: 'full', mark: undefined, ...receipt } as const;
  return drawPicture({ receipt: whole, logos: new Map() });
}

function isBlack({ width, bits }: Bitmap, x: number, y: number): boolean {
  const dot = y * width + x;
  return ((bits[dot >> 3] ?? 0) & (0x80 >> (dot & 7))) !== 0;
}

/** How many dots are black in these rows. */
function inkIn(picture: Bitmap, fromRow: number, toRow: number): number {
  let count = 0;
  for (let y = fromRow; y < toRow; y++)
    for (let x = 0; x < picture.width; x++) if (isBlack(picture, x, y)) count++;
  return count;
}

function readQr(picture: Bitmap) {
  const { data, width, height } = toPixels(picture, 4);
  return jsqr.default(data, width, height, { inversionAttempts: 'dontInvert' });
}

test('QR codes are read from the bytes of all three kinds, on both rolls, in both layouts that have them', async () => {
  const printer = { copies: 1, hasCutter: true };
  for (const slip of [USUAL, CODE_ONLY, { ...HARD, text: '' }])
    for (const paper of ROLL_WIDTHS)
      for (const layout of ['full', 'compact'] as const) {
        const picture = await draw({ slip, paper, layout });
        assert.equal(picture.width, ROLL_DOTS[paper]);
        const [escpos] = readEscPosJob(writeEscPosJob(picture, printer)).slips;
        const [epson] = readEposXml(writeEposXml(picture, printer, asMessageId(1))).slips;
        const cloudprnt = readCloudPrntJob(writeCloudPrntJob(picture, printer));
        for (const printed of [escpos, epson, cloudprnt]) {
          assert.ok(printed);
          assert.equal(Buffer.compare(printed.bits, picture.bits), 0);
        }
        const read = readQr(cloudprnt);
        assert.equal(read?.data, slip.qr.text, `${paper} ${layout}`);
        const { topLeftCorner, topRightCorner } = read?.location ?? {};
        const width = (topRightCorner?.x ?? 0) - (topLeftCorner?.x ?? 0);
        assert.ok(width >= 25 * DOTS_PER_MM - 1, `${paper} ${layout}: ${width} dots`);
      }
});

test('the modules of a QR code are whole dots', async () => {
  const picture = await draw({ slip: USUAL });
  const location = readQr(picture)?.location;
  const [x, y] = [Math.round(location?.topLeftCorner.x ?? 0), Math.round(location?.topLeftCorner.y ?? 0)];
  const right = Math.round(location?.topRightCorner.x ?? 0);
  const rows = Array.from({ length: right - x }, (_, below) =>
    Array.from({ length: right - x }, (__, beside) =>
      isBlack(picture, x + beside, y + below) ? '#' : ' ',
    ).join(''),
  );
  // The finder pattern begins with a black row of seven modules.
  const module = (/^#+/.exec(rows[0] ?? '')?.[0].length ?? 0) / 7;
  assert.ok(Number.isInteger(module) && module > 1, `${module}`);
  for (const row of rows)
    for (const [run] of row.matchAll(/#+| +/g)) assert.equal(run.length % module, 0, row);
});

test('every layout keeps hard data within the paper, and smaller layouts need less of it', async () => {
  for (const slip of [USUAL, CODE_ONLY, HARD])
    for (const paper of ROLL_WIDTHS) {
      const heights: number[] = [];
      for (const layout of PRINTER_LAYOUTS) {
        const picture = await draw({ slip, paper, layout });
        heights.push(picture.height);
        for (let y = 0; y < picture.height; y++)
          for (const x of [0, 1, picture.width - 2, picture.width - 1])
            assert.ok(!isBlack(picture, x, y), `${paper} ${layout}: ink at the edge in row ${y}`);
        assert.equal(inkIn(picture, picture.height - 16, picture.height), 0);
      }
      assert.deepEqual(
        heights,
        heights.toSorted((one, other) => other - one),
      );
    }
});

test('a copy is marked by a black band above the same slip', async () => {
  for (const layout of PRINTER_LAYOUTS) {
    const [first, copy] = [await draw({ layout }), await draw({ layout, mark: 'Kopie' })];
    const added = copy.height - first.height;
    assert.ok(added > 40);
    assert.ok(inkIn(copy, 0, added) > 0.4 * added * copy.width);
  }
});

test('glyphs that no font has leave no trace, and right-to-left letters are drawn', async () => {
  const [plain, emoji] = [await draw({}), await draw({ slip: { ...USUAL, site: `${USUAL.site} 🛏` } })];
  assert.equal(Buffer.compare(plain.bits, emoji.bits), 0);
  const arabic = await draw({ slip: { ...USUAL, site: 'غرفة ١٢' } });
  assert.equal(arabic.height, plain.height);
  assert.ok(inkIn(arabic, 0, 100) > 1_000);
});

test('a logo in a light colour becomes black dots, and one that cannot be read does not prevent printing', async () => {
  const red = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
  const withLogo = (base64: string) => {
    const logos = new Map([['logo', { source: `data:image/png;base64,${base64}`, width: 4, height: 1 }]]);
    const receipt = { slip: { ...USUAL, logo: 'logo' }, paper: 80, layout: 'full', mark: undefined } as const;
    return drawPicture({ receipt, logos });
  };
  const [drawn, broken] = [await withLogo(red), await withLogo('AAAA')];
  assert.ok(inkIn(drawn, 8, 100) > inkIn(broken, 8, 100) + 5_000);
  assert.equal(readQr(broken)?.data, JOIN);
});

test('a logo that makes drawing fail is not tried again with every slip', async () => {
  let threads = 0;
  const count = () => threads++;
  process.on('worker', count);
  const logos = new Map([['logo', { source: '"<', width: 4, height: 1 }]]);
  const receipt = { slip: { ...USUAL, logo: 'logo' }, paper: 80, layout: 'full', mark: undefined } as const;
  await drawPicture({ receipt, logos });
  const threadsOfFirst = threads;
  for (let slips = 0; slips < 3; slips++) await drawPicture({ receipt, logos });
  process.off('worker', count);
  assert.ok(threadsOfFirst > 0, 'a failure ends the thread');
  assert.equal(threads, threadsOfFirst);
});

test('the test page of each roll has a ruler over the whole printable width', async () => {
  for (const paper of ROLL_WIDTHS) {
    const texts = {
      title: 'Testseite',
      printer: 'Rezeption',
      site: 'Haus am See',
      rulerHint: 'Lineal',
      qr: 'Test',
    };
    const testPage = { ...texts, paper, language: 'de', facts: ['58 mm', 'Auftrag: 18.11.2026, 14:30'] };
    const picture = await drawPicture({ testPage, logos: new Map() });
    assert.equal(readQr(picture)?.data, 'Test');
    const rows = Array.from({ length: picture.height }, (_, y) => inkIn(picture, y, y + 1));
    assert.ok(rows.includes(ROLL_DOTS[paper]));
  }
});
