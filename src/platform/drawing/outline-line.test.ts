// Lines with right-to-left letters: the order and the width of their letters.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { PrintedSlip } from '../../kernel/slips/printed-slip.ts';
import { writePdf } from '../../kernel/slips/write-pdf.ts';
import { makeTypesetter } from './fonts.ts';
import { makeOutlineLine } from './outline-line.ts';
import { loadResvg } from './resvg.ts';
import { hasRightToLeft } from './right-to-left.ts';

before(loadResvg);

const outlineLine = makeOutlineLine(makeTypesetter());
const outline = (text: string, width = 100, isCentred = false) =>
  outlineLine(text, { cut: 'plain', size: 10, width, isCentred });

test('the last letter of a right-to-left word is at its left end, and numbers keep their order', () => {
  assert.ok(outline('םו').path.includes(outline('ו').path));
  assert.ok(!outline('םו').path.includes(outline('ם').path));
  assert.ok(outline('غرفة ١٢').path.includes(outline('١').path));
  // In a line that begins with Latin letters, these stay at the left end.
  assert.ok(outline('Zו').path.startsWith(outline('Z').path));
});

test('joined letters keep their natural width, in the middle of a centred line, and never exceed the measured one', () => {
  const { scale, indent } = outline('بببب', 100, true);
  assert.equal(scale.x, scale.y);
  assert.ok(indent > 20);
  const squeezed = outline('بببب', 2, true);
  assert.equal(squeezed.indent, 0);
  assert.ok(squeezed.scale.x < squeezed.scale.y);
});

test('only lines with right-to-left letters become outlines in a PDF', async () => {
  assert.deepEqual(['Zimmer 12', 'غرفة ١٢', 'Zimmer חדר', '東京'].map(hasRightToLeft), [
    false,
    true,
    true,
    false,
  ]);
  // The bold font is used for the name of the site only.
  assert.ok((await countFonts('Haus A')) > (await countFonts('غرفة ١٢')));
});

async function countFonts(site: string): Promise<number> {
  const slip: PrintedSlip = {
    theme: 'classic',
    colour: '#000000',
    language: 'de',
    title: '',
    logo: undefined,
    logoHasName: false,
    site,
    name: 'Zimmer 12',
    code: '04827-15936',
    guides: [],
    wifi: [],
    qr: { text: '0482715936', caption: '' },
    text: '',
  };
  const order = { logos: new Map(), paper: 'a4', usedLabels: 0, title: '', language: 'de' } as const;
  const pdf = await writePdf({ ...order, slips: [slip] });
  return pdf.toString('latin1').match(/\/BaseFont/g)?.length ?? 0;
}
