// Tests the layout of slips on every paper: nothing overlaps or leaves its cell, codes are large enough, and sheets and
// rolls are used well. Also tests line breaking and the choice of fonts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Area, type Box, breakLine } from '../../platform/drawing/boxes.ts';
import { makeSplitRuns, makeTypesetter } from '../../platform/drawing/fonts.ts';
import { inkOn } from '../../platform/drawing/ink-on.ts';
import { cellOf, cornersOf, layOutPages, type PrintedPage } from './page-layout.ts';
import { PAPERS, type Paper } from './paper.ts';
import { A4, PAPER_SHAPES } from './papers.ts';
import type { PrintedSlip } from './printed-slip.ts';
import { SLIP_THEMES } from './slip.ts';

const MM_PER_PT = 25.4 / 72;
const MIN_QR = 25;
const MIN_CODE = 20 * MM_PER_PT;
/** Less than a printer can show. */
const TOLERANCE = 0.01;

const STEPS = ['Mit WLAN „Seeblick Gäste“ verbinden', 'Beliebige Internetseite öffnen', 'Den Code eingeben'];
const USUAL: PrintedSlip = {
  theme: 'classic',
  colour: '#1d4f91',
  language: 'de',
  title: 'Pension Seeblick',
  logo: 'logo',
  logoHasName: false,
  site: 'Haus am See',
  name: 'WLAN-Zugang · Zimmer 12',
  code: '04827-15936',
  guides: [{ language: 'de', allowance: '1 Gerät, 8 Stunden ab erster Nutzung', steps: STEPS }],
  wifi: [
    { labels: ['WLAN'], value: 'Seeblick Gäste', isPassword: false, isInSteps: true },
    { labels: ['Passwort'], value: 'am-wasser-2026', isPassword: true, isInSteps: false },
  ],
  qr: { text: 'WIFI:T:WPA;S:Seeblick Gäste;P:am-wasser-2026;;', caption: 'Scannen und WLAN beitreten' },
  text: '',
};
const TWO_LANGUAGES: PrintedSlip = {
  ...USUAL,
  guides: [
    ...USUAL.guides,
    {
      language: 'en',
      allowance: '1 device, 8 hours from first use',
      steps: ['Connect to the Wi-Fi “Seeblick Gäste”', 'Open any web page', 'Enter the code'],
    },
  ],
  wifi: USUAL.wifi.map((fact) => ({ ...fact, labels: [...fact.labels, 'Password'] })),
  qr: { ...USUAL.qr, caption: 'Scannen und WLAN beitreten\nScan to join the Wi-Fi' },
};
const BARE: PrintedSlip = {
  ...USUAL,
  ...{ logo: undefined, title: '', wifi: [], qr: { text: '0482715936', caption: 'Code zum Scannen' } },
  guides: USUAL.guides.map((guide) => ({ ...guide, steps: [] })),
};
const long = (text: string) => text.repeat(6).trim();
const EXTREME: PrintedSlip = {
  ...TWO_LANGUAGES,
  title: 'W'.repeat(40),
  site: long('Ferienwohnung am Wasserturm '),
  name: `WLAN-Zugang · ${'W'.repeat(90)}`,
  code: '04827-15936-04827',
  guides: TWO_LANGUAGES.guides.map((guide) => ({
    language: guide.language,
    allowance: '10 Geräte, 90 Tage ab erster Nutzung, ↓ 100 Mbit/s, ↑ 100 Mbit/s, 10.000 MB',
    steps: Array.from({ length: 5 }, () => 'Ein Schritt mit so vielen Wörtern, dass er viele Zeilen braucht'),
  })),
  wifi: TWO_LANGUAGES.wifi.map((fact) => ({ ...fact, value: 'W'.repeat(63), isInSteps: false })),
  qr: { text: `WIFI:T:WPA;S:${'ä'.repeat(16)};P:${'\\;'.repeat(63)};;`, caption: TWO_LANGUAGES.qr.caption },
  text: `${'Ein langer Satz mit vielen Wörtern. '.repeat(8)}\nEnde`,
};
const FOREIGN: PrintedSlip = {
  ...USUAL,
  site: 'فندق البحيرة',
  name: '東京タワー 12号室 👨‍👩‍👧‍👦',
  text: 'שלום וברכה\nПривет из Łódź',
};

function lay(slip: PrintedSlip, paper: Paper, { count = 1, usedLabels = 0 } = {}) {
  const slips = Array.from({ length: count }, () => slip);
  const logos = new Map([['logo', { source: 'data:,', width: 300, height: 100 }]]);
  return layOutPages({ slips, logos, paper, usedLabels });
}

async function boxesOn(slip: PrintedSlip, paper: Paper): Promise<Box[]> {
  const { pages } = await lay(slip, paper);
  return pages[0]?.slips[0]?.boxes ?? [];
}

const isInside = (inner: Area, outer: Area) =>
  inner.x >= outer.x - TOLERANCE &&
  inner.y >= outer.y - TOLERANCE &&
  inner.x + inner.width <= outer.x + outer.width + TOLERANCE &&
  inner.y + inner.height <= outer.y + outer.height + TOLERANCE;
const overlaps = (one: Area, other: Area) =>
  one.x < other.x + other.width - TOLERANCE &&
  other.x < one.x + one.width - TOLERANCE &&
  one.y < other.y + other.height - TOLERANCE &&
  other.y < one.y + one.height - TOLERANCE;

for (const paper of PAPERS)
  test(`on ${paper} nothing overlaps or leaves its slip, whatever its content and theme`, async () => {
    const all = SLIP_THEMES.flatMap((theme) =>
      Object.entries({ BARE, USUAL, TWO_LANGUAGES, EXTREME, FOREIGN }).map(
        ([name, slip]) => [`${theme} ${name}`, { ...slip, theme }] as const,
      ),
    );
    for (const [name, slip] of all) {
      const { pages, cell } = await lay(slip, paper);
      const placed = pages[0]?.slips[0]?.boxes ?? [];
      const bands = placed.filter(({ kind }) => kind === 'band');
      assert.equal(bands.length, slip.theme === 'strong' ? 1 : 0, name);
      for (const band of bands) assert.ok(isInside(band, { x: 0, y: 0, ...cell }), name);
      const boxes = placed.filter(({ kind }) => kind !== 'band');
      for (const [index, box] of boxes.entries()) {
        assert.ok(isInside(box, { x: 0, y: 0, ...cell }), `${name}: ${JSON.stringify(box)} leaves the slip`);
        if (box.kind === 'text')
          for (const { text, x, width } of box.lines)
            assert.ok(
              x >= box.x - TOLERANCE && x + width <= box.x + box.width + TOLERANCE,
              `${name}: ${text}`,
            );
        const hit = boxes.slice(0, index).find((other) => overlaps(box, other));
        assert.ok(!hit, `${name}: ${JSON.stringify([box, hit])} overlap`);
      }
    }
  });

test('on every paper a phone can scan the QR code, and the code is readable at arm’s length', async () => {
  for (const paper of PAPERS)
    for (const slip of SLIP_THEMES.flatMap((theme) =>
      [BARE, USUAL, TWO_LANGUAGES].map((one) => ({ ...one, theme })),
    )) {
      const boxes = await boxesOn(slip, paper);
      const [qr] = boxes.filter((box) => box.kind === 'qr');
      assert.ok(qr);
      const dark = (qr.width * (qr.drawing.size - 4)) / qr.drawing.size;
      assert.ok(dark >= MIN_QR - TOLERANCE, `${paper}: ${dark}`);
      const [code] = boxes.filter((box) => box.kind === 'text' && box.role === 'code');
      assert.ok(
        code?.kind === 'text' && code.size >= MIN_CODE - TOLERANCE,
        `${paper}: ${JSON.stringify(code)}`,
      );
    }
});

test('ten slips fill an A4 sheet, even in two languages; more content takes fewer rows, and nothing is left out', async () => {
  for (const slip of [BARE, USUAL, TWO_LANGUAGES]) assert.equal((await lay(slip, 'a4')).perSheet, 10);
  const full = await lay(
    { ...TWO_LANGUAGES, text: 'Frühstück von 7 bis 10 Uhr.\nFragen? Rezeption: 9' },
    'a4',
  );
  assert.equal(full.perSheet, 8);
  const { perSheet, cell, leftOut } = await lay(EXTREME, 'a4');
  assert.ok(perSheet >= 4);
  assert.deepEqual(leftOut, []);
  assert.equal(cell.height * (perSheet / 2) + 16, A4.height);
});

test('a small label leaves out what it has no room for, and names the Wi-Fi that the steps would name', async () => {
  const { leftOut, pages } = await lay(USUAL, 'labels-21');
  assert.deepEqual(leftOut, ['steps']);
  const said = textsOf(pages[0]);
  assert.ok(said.includes('Seeblick Gäste') && said.includes('am-wasser-2026'));
  assert.ok(!textsOf((await lay(USUAL, 'labels-8')).pages[0]).includes('Seeblick Gäste'));
});

test('a logo that contains the name of the site stands for it, but only where the logo is printed', async () => {
  const slip = { ...USUAL, logoHasName: true };
  assert.ok(!textsOf((await lay(slip, 'a4')).pages[0]).includes('Haus am See'));
  assert.ok(textsOf((await lay({ ...slip, logo: undefined }, 'a4')).pages[0]).includes('Haus am See'));
  const full = await lay({ ...EXTREME, site: 'Haus am See', logoHasName: true }, 'labels-21');
  assert.ok(full.leftOut.includes('title'));
  assert.ok(textsOf(full.pages[0]).some((line) => line.startsWith('Haus am')));
});

test('text on a band is black or white, whichever is easier to read', () => {
  for (const dark of ['#000000', '#1d4f91', '#c0392b', '#6b6b6b']) assert.equal(inkOn(dark), '#ffffff', dark);
  for (const light of ['#ffffff', '#f1c40f', '#00d0ff', '#8a8a8a'])
    assert.equal(inkOn(light), '#000000', light);
});

test('used labels stay empty on the first sheet only, and a sheet to be cut has none', async () => {
  const placesOf = async (paper: Paper, usedLabels: number) =>
    (await lay(USUAL, paper, { count: 9, usedLabels })).pages.map(({ slips }) => slips.length);
  assert.deepEqual(await placesOf('labels-8', 0), [8, 1]);
  assert.deepEqual(await placesOf('labels-8', 7), [1, 8]);
  assert.deepEqual(await placesOf('labels-21', 15), [6, 3]);
  assert.deepEqual(await placesOf('a4', 7), [9]);
  const [page] = (await lay(USUAL, 'labels-8', { usedLabels: 7 })).pages;
  assert.deepEqual(
    page?.slips.map(({ x, y }) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100]),
    [[106.25, 216.2]],
  );
});

test('labels are where the manufacturer puts them', () => {
  const [small, large] = [PAPER_SHAPES['labels-21'], PAPER_SHAPES['labels-8']];
  assert.ok(small.kind === 'sheet' && large.kind === 'sheet');
  const rounded = (numbers: number[]) => numbers.map((number) => Math.round(number * 100) / 100);
  assert.deepEqual(rounded(Object.values(cellOf(small, 7))), [63.5, 38.1]);
  assert.deepEqual(rounded(Object.values(cellOf(large, 4))), [99.1, 67.7]);
  assert.deepEqual(rounded(cornersOf(small, 7).at(4) ?? []), [73.25, 53.25]);
  assert.deepEqual(rounded(cornersOf(large, 4).at(7) ?? []), [106.25, 216.2]);
});

test('a slip on a roll ends with its content', async () => {
  for (const paper of ['receipt', 'receipt-58'] as const)
    for (const slip of [BARE, USUAL, EXTREME]) {
      const { cell } = await lay(slip, paper);
      const last = Math.max(...(await boxesOn(slip, paper)).map(({ y, height }) => y + height));
      assert.ok(
        cell.height - last >= 4 - TOLERANCE && cell.height - last <= 5,
        `${paper}: ${cell.height - last}`,
      );
    }
});

test('further slips continue on the next sheet, and every corner of every slip on A4 has a cut mark', async () => {
  const { pages, cell } = await lay(USUAL, 'a4', { count: 12 });
  assert.deepEqual(
    pages.map(({ slips }) => slips.length),
    [10, 2],
  );
  const [page] = pages;
  const middle = ({ from, to }: PrintedPage['marks'][number]) =>
    `${((from[0] + to[0]) / 2).toFixed(3)} ${((from[1] + to[1]) / 2).toFixed(3)}`;
  const middles = new Set(page?.marks.map(middle));
  for (const { x, y } of page?.slips ?? [])
    for (const right of [x, x + cell.width])
      for (const below of [y, y + cell.height])
        assert.ok(middles.has(`${right.toFixed(3)} ${below.toFixed(3)}`));
  for (const { from, to } of page?.marks ?? [])
    for (const [x, y] of [from, to]) assert.ok(x >= 0 && x <= A4.width && y >= 0 && y <= A4.height);
  assert.deepEqual((await lay(USUAL, 'labels-8')).pages[0]?.marks, []);
});

function textsOf(page: PrintedPage | undefined): string[] {
  const boxes = page?.slips.flatMap((slip) => slip.boxes) ?? [];
  return boxes.flatMap((box) => (box.kind === 'text' ? box.lines.map(({ text }) => text) : []));
}

test('lines break after spaces and dashes, and within a word only if it is longer than a line', () => {
  const fits = (part: string) => part.length <= 10;
  assert.deepEqual(breakLine('ab cd ef gh ij', fits), ['ab cd ef', 'gh ij']);
  assert.deepEqual(breakLine('Fuss-Ball-Verein', fits), ['Fuss-Ball-', 'Verein']);
  assert.deepEqual(breakLine('a 0123456789abcdef', fits), ['a 01234567', '89abcdef']);
  assert.deepEqual(breakLine('10\u00a0Mbit/s und', fits), ['10\u00a0Mbit/s', 'und']);
  assert.deepEqual(breakLine('', fits), ['']);
});

test('characters that a font lacks use another font, and characters that no font has are left out', () => {
  const splitRuns = makeSplitRuns(
    (font, codePoint) => codePoint < 0x250 || (font === 'rest' && codePoint < 0xffff),
  );
  assert.deepEqual(splitRuns('Łódź 東京', 'plain'), [
    { font: 'plain', text: 'Łódź ' },
    { font: 'rest', text: '東京' },
  ]);
  // The family emoji is one grapheme of seven code points.
  assert.deepEqual(splitRuns('a👨‍👩‍👧‍👦b', 'bold'), [{ font: 'bold', text: 'ab' }]);
  const { printable } = makeTypesetter();
  assert.equal(printable('Zimmer 👨‍👩‍👧‍👦 12 ☕\ufe0f', 'plain'), 'Zimmer 12 ☕');
  assert.equal(printable('🛏', 'plain'), '');
});
