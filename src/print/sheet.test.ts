// Tests the layout of slips on a sheet, line breaking and the choice of fonts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSplitRuns, REPLACEMENT } from './fonts.ts';
import { A4, cornerOf, cutMarks, gridFor } from './sheet.ts';
import { breakLine } from './text-block.ts';

test('as many slips go on a sheet as their tallest allows, and at least two', () => {
  const perSheet = (tallestMm: number) => gridFor(tallestMm).perSheet;
  assert.deepEqual([40, 56, 60, 71, 100, 150, 400].map(perSheet), [10, 10, 8, 6, 4, 2, 2]);
});

test('slips lie side by side, and none leaves the sheet', () => {
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

test('there is a mark at every corner of every slip, and all of them are on the paper', () => {
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

test('lines are broken after blanks and dashes, words only when they fill more than a line', () => {
  const fits = (part: string) => part.length <= 10;
  assert.deepEqual(breakLine('ab cd ef gh ij', fits), ['ab cd ef', 'gh ij']);
  assert.deepEqual(breakLine('Fuss-Ball-Verein', fits), ['Fuss-Ball-', 'Verein']);
  assert.deepEqual(breakLine('a 0123456789abcdef', fits), ['a 01234567', '89abcdef']);
  assert.deepEqual(breakLine('10\u00a0Mbit/s und', fits), ['10\u00a0Mbit/s', 'und']);
  assert.deepEqual(breakLine('', fits), ['']);
});

test('letters that a font lacks are written in another, and what none has becomes one visible sign', () => {
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
