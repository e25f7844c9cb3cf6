// The browser prints slips as the PDF shows them: on every paper, and in every theme on sheets and rolls, the ink of
// every code, QR code, logo and text block is at the same place in both, within 0.3 mm.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { asSiteId } from '../../src/kernel/ids.ts';
import { PAPERS } from '../../src/kernel/slips/paper.ts';
import { SLIP_THEMES, type SlipTheme } from '../../src/kernel/slips/slip.ts';
import { TESTER } from '../support/actors.ts';
import { makePng } from '../support/pictures.ts';
import { pagesOf, pictureOf, toMm } from '../support/poppler.ts';
import { type Desk, makeVouchers, setupDesk } from './desk.ts';

const MAX_DIFFERENCE_MM = 0.3;
const PX_PER_MM = 96 / 25.4;
const AUDIT = { actor: TESTER, atMs: 1 };
/** The blocks that are compared; the small labels have fewer. */
const BLOCKS = 'allowance caption code label logo name password qr site steps text'.split(' ');

let desk: Desk;
let page: Page;
let batch: string;
before(async () => {
  desk = await setupDesk();
  await desk.service.beside.images.save('logo', { type: 'image/png', bytes: makePng(300, 100) }, AUDIT);
  page = await desk.openLoggedIn();
  await page.emulateMedia({ media: 'print' });
  await makeVouchers(page, 'Hochzeit AVATAR Łódź', 12);
  batch = page.url().split('/').at(-1) ?? '';
});
after(() => desk.close());

const saveSlip = (theme: SlipTheme) =>
  desk.service.beside.slips.save(
    asSiteId(1),
    {
      wifiName: 'Gäste Łódź',
      wifiSecurity: 'wpa',
      wifiPassword: 'am-wasser-2026',
      text: 'Frühstück von 7 bis 10 Uhr.\nFragen? Rezeption: Durchwahl 9',
      languages: ['de', 'en'],
      theme,
    },
    AUDIT,
  );

for (const theme of SLIP_THEMES)
  for (const paper of theme === 'classic' ? PAPERS : (['a4', 'receipt-58'] as const))
    test(`on ${paper} the browser and the PDF print the same boxes in the theme ${theme}`, async () => {
      await saveSlip(theme);
      // The tenth label is the first free one.
      const query = `batch=${batch}&paper=${paper}&first=${paper === 'labels-21' ? 10 : 1}`;
      await page.goto(`/vouchers/print?${query}`);
      await page.evaluate('document.fonts.ready');
      const printed = await page.pdf({ preferCSSPageSize: true });
      const pdf = await (await page.request.get(`/vouchers/pdf?${query}`)).body();
      assert.deepEqual(pagesOf(printed), pagesOf(pdf));

      const areas = await areasOfFirstPage();
      const seen = new Set(areas.map(({ name }) => name));
      for (const name of ['site', 'code', 'qr']) assert.ok(seen.has(name), name);
      if (!paper.startsWith('labels')) assert.deepEqual([...seen].sort(), BLOCKS);

      const [width = 0, height = 0] = pagesOf(pdf)[0] ?? [];
      const whole = { page: 1, x: 0, y: 0, width, height };
      const [ours, theirs] = [pictureOf(pdf, whole), pictureOf(printed, whole)];
      for (const area of areas) {
        const [one, other] = [inkIn(ours, area), inkIn(theirs, area)];
        for (const [index, edge] of one.entries())
          assert.ok(
            Math.abs(edge - (other[index] ?? 0)) <= MAX_DIFFERENCE_MM,
            `${area.name} “${area.text}”: ${one} in the PDF, ${other} in the browser`,
          );
      }
    });

interface NamedArea {
  name: string;
  text: string;
  /** In millimetres from the corner of the page. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The boxes of the first and the last slip on the first page. */
async function areasOfFirstPage(): Promise<NamedArea[]> {
  const found: NamedArea[] = await page
    .locator('.page')
    .first()
    .evaluate((first, pxPerMm) => {
      const corner = first.getBoundingClientRect();
      const slips = [...first.querySelectorAll('.slip')];
      return [slips[0], slips.at(-1)].flatMap((slip) =>
        [...(slip?.querySelectorAll('text, .qr, .logo') ?? [])].map((box) => {
          const { x, y, width, height } = box.getBoundingClientRect();
          const name = String(box.getAttribute('class')).split(' ')[0] ?? '';
          const area = { name, text: box.textContent ?? '', x: x - corner.x, y: y - corner.y, width, height };
          if (name === 'qr' || name === 'logo') return area;
          // From the capitals to the baseline, because the lines above and below extend into the box of a line.
          const top = Number(/ ([\d.]+)\)/.exec(slip?.getAttribute('transform') ?? '')?.[1]);
          const size = Number(box.getAttribute('font-size'));
          const baseline = top + Number(box.getAttribute('y'));
          return { ...area, y: (baseline - 0.6 * size) * pxPerMm, height: 0.6 * size * pxPerMm };
        }),
      );
    }, PX_PER_MM);
  return found.map(({ name, text, ...box }) => {
    const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((px) => px / PX_PER_MM);
    return { name, text, x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 };
  });
}

/** The edges of what is printed in the area: left, top, right and bottom, in millimetres. */
function inkIn({ width, height, data }: ReturnType<typeof pictureOf>, area: NamedArea): number[] {
  const around = 0.3;
  const dots = (mm: number) => Math.round(mm / toMm(1));
  const [left, top] = [Math.max(0, dots(area.x - around)), Math.max(0, dots(area.y - around))];
  const right = Math.min(width, dots(area.x + area.width + around));
  const bottom = Math.min(height, dots(area.y + area.height + around));
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++)
      if ((data[(y * width + x) * 3] ?? 255) < 128) {
        xs.push(x);
        ys.push(y);
      }
  const least = (all: number[]) => all.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const most = (all: number[]) => all.reduce((one, other) => Math.max(one, other), 0);
  return [least(xs), least(ys), most(xs), most(ys)].map((edge) => Math.round(toMm(edge) * 100) / 100);
}
