// Tests the fonts for the browser against the fonts of the PDF, and that logos keep their proportions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JPEG, makePng } from '../../../tests/support/pictures.ts';
import { readFontTables } from './font-file.ts';
import { readMetrics } from './font-metrics.ts';
import { CUTS, readFontFile } from './fonts.ts';
import { imageSizeOf } from './image-size.ts';
import { makeWebFont } from './web-font.ts';

test('a font for the browser is small, and its letters are as wide as in the PDF', () => {
  for (const cut of CUTS) {
    const font = makeWebFont(readFontFile(cut));
    assert.ok(font.length < 50_000, `${cut}: ${font.length}`);
    const [own, whole] = [readMetrics(font), readMetrics(readFontFile(cut))];
    for (const letter of 'Az09-ÄßŁőΩЖ„“→€·…') {
      const codePoint = letter.codePointAt(0) ?? 0;
      assert.notEqual(own.glyphOf(codePoint), 0, letter);
      assert.equal(own.widthOf(own.glyphOf(codePoint)), whole.widthOf(whole.glyphOf(codePoint)), letter);
    }
    assert.equal(own.glyphOf(0x627), 0);
    assert.equal(readFontTables(font).get('name')?.readUInt16BE(2), 0, 'the licences reserve the names');
  }
});

test('the size of a logo is read from PNG and JPEG', () => {
  assert.deepEqual(imageSizeOf(makePng(300, 100)), { width: 300, height: 100 });
  assert.deepEqual(imageSizeOf(JPEG), { width: 24, height: 16 });
  assert.deepEqual(imageSizeOf(Buffer.from('neither')), { width: 1, height: 1 });
});
