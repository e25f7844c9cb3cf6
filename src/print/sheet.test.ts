// Tests the layout of slips on a sheet, line breaking and the choice of fonts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSplitRuns, REPLACEMENT } from './fonts.ts';
import { A4, cornerOf, cutMarks, gridFor } from './sheet.ts';
import { breakLine } from './text-block.ts';

test('the tallest slip decides how many slips fit on a sheet, and at least two do', () => {
  const perSheet = (tallestMm: number) => gridFor(tallestMm).perSheet;
  assert.deepEqual([40, 56, 60, 71, 100, 150, 400].map(perSheet), [10, 10, 8, 6, 4, 2, 2]);
});

test('every slip has its own place within the sheet', () => {
  for (const tallestMm of [40, 60, 90, 140]) {
    const grid = gridFor(tallestMm);
    const corners = Array.from({ length: grid.perSheet }, (_, place) => cornerOf(grid, place));
    assert.equal(new Set(corners.map(String)).size, grid.perSheet);
    for (const [x, y] of corners) {
      assert.ok(x >= 5 && x + grid.slip.widthMm <= A4.widthMm - 5);
      assert.ok(y >= 5 && y + grid.slip.heightMm <= A4.heightMm - 5);
    }
  }
});

test('every corner of every slip has a cut mark, and all marks are within the sheet', () => {
  const grid = gridFor(56);
  const marks = cutMarks(grid);
  const centres = new Set(
    marks.map(
      ({ from, to }) => `${((from[0] + to[0]) / 2).toFixed(3)} ${((from[1] + to[1]) / 2).toFixed(3)}`,
    ),
  );
  for (let place = 0; place < grid.perSheet; place++) {
    const [x, y] = cornerOf(grid, place);
    for (const right of [x, x + grid.slip.widthMm])
      for (const below of [y, y + grid.slip.heightMm])
        assert.ok(centres.has(`${right.toFixed(3)} ${below.toFixed(3)}`));
  }
  for (const { from, to } of marks)
    for (const [x, y] of [from, to]) assert.ok(x >= 0 && x <= A4.widthMm && y >= 0 && y <= A4.heightMm);
});

test('lines break after spaces and dashes, and within a word only if it is longer than a line', () => {
  const fits = (part: string) => part.length <= 10;
  assert.deepEqual(breakLine('ab cd ef gh ij', fits), ['ab cd ef', 'gh ij']);
  assert.deepEqual(breakLine('Fuss-Ball-Verein', fits), ['Fuss-Ball-', 'Verein']);
  assert.deepEqual(breakLine('a 0123456789abcdef', fits), ['a 01234567', '89abcdef']);
  assert.deepEqual(breakLine('10\u00a0Mbit/s und', fits), ['10\u00a0Mbit/s', 'und']);
  assert.deepEqual(breakLine('', fits), ['']);
});

test('characters that a font lacks use another font, and unsupported characters become one visible character', () => {
  const splitRuns = makeSplitRuns(
    (font, codePoint) => codePoint < 0x250 || (font === 'rest' && codePoint < 0xffff),
  );
  assert.deepEqual(splitRuns('Łódź 東京', 'plain'), [
    { font: 'plain', text: 'Łódź ' },
    { font: 'rest', text: '東京' },
  ]);
  // The family emoji is one grapheme of seven code points.
  assert.deepEqual(splitRuns('a👨‍👩‍👧‍👦b', 'bold'), [{ font: 'bold', text: `a${REPLACEMENT}b` }]);
});
