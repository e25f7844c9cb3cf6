// The PNG of a QR code, unpacked and read as a camera reads it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readQrPng } from '../../../tests/support/read-qr-png.ts';
import { makeQrPng } from './qr-png.ts';

test('the PNG of the shortest and of the longest text can be read, and is small', () => {
  const longest = `WIFI:T:WPA;S:${'\\;'.repeat(32)};P:${'\\;'.repeat(63)};;`;
  for (const text of ['0482715936', 'WIFI:T:nopass;S:Łódź 東京 😀;;', longest]) {
    const png = makeQrPng(text);
    assert.equal(readQrPng(png), text);
    assert.ok(png.length < 4_000);
  }
});
