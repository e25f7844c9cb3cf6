// Tests the Wi-Fi text for QR codes, including hostile Wi-Fi names, and that a decoder can read the drawn QR code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import decodeQR from 'qr/decode.js';
import { drawQr } from '../../platform/drawing/qr.ts';
import { joinText } from './join-text.ts';
import type { SiteSlip } from './slip.ts';

const wpa = (wifiName: string, wifiPassword: string | null): SiteSlip => ({
  wifiName,
  wifiSecurity: 'wpa',
  wifiPassword,
  text: '',
});

test('an open Wi-Fi is joined by name, a protected one by name and password', () => {
  const open: SiteSlip = { wifiName: 'Gäste', wifiSecurity: 'open', wifiPassword: null, text: '' };
  assert.equal(joinText(open), 'WIFI:T:nopass;S:Gäste;;');
  assert.equal(joinText(wpa('Gäste', 'sommer26')), 'WIFI:T:WPA;S:Gäste;P:sommer26;;');
});

test('without a name or a required password there is no text', () => {
  assert.equal(joinText(wpa('', 'sommer26')), undefined);
  assert.equal(joinText(wpa('Gäste', null)), undefined);
});

test('special characters are escaped in names and passwords', () => {
  const slip = wpa('a\\b;c,d:e"f', '";,:\\"12');
  assert.equal(joinText(slip), 'WIFI:T:WPA;S:a\\\\b\\;c\\,d\\:e\\"f;P:\\"\\;\\,\\:\\\\\\"12;;');
});

test('no name can break out of its field', () => {
  for (const name of ['x;P:boese123;;', 'x\\', '\\;T:nopass', ';;WIFI:S:y', 'x";H:true'])
    assert.deepEqual(fieldsOf(joinText(wpa(name, 'sommer26')) ?? ''), { T: 'WPA', S: name, P: 'sommer26' });
});

test('every text can be read from its QR code, even the longest', () => {
  const texts = [
    joinText(wpa('Łódź 東京 😀', 'p;a:s,s"w\\ort')),
    joinText(wpa(';'.repeat(32), '\\'.repeat(63))),
    '0482715936',
  ];
  for (const text of texts) assert.equal(readDrawing(text ?? ''), text);
});

/** Parses the text as a phone does. */
function fieldsOf(text: string): Record<string, string> {
  const fields = text.replace(/^WIFI:/, '').match(/(?:\\.|[^;\\])+(?=;)/g) ?? [];
  return Object.fromEntries(
    fields.map((field) => [field.slice(0, 1), field.slice(2).replace(/\\(.)/g, '$1')]),
  );
}

function readDrawing(text: string): string {
  const { size, path } = drawQr(text);
  const scale = 4;
  const [width, height] = [size * scale, size * scale];
  const data = new Uint8Array(width * height * 3).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      const from = row * width + Number(x) * scale;
      data.fill(0, from * 3, (from + Number(length) * scale) * 3);
    }
  return decodeQR({ width, height, data });
}
