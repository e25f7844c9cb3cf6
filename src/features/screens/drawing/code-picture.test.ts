// Tests that the picture of a rolling code has the size that was asked for, that everything is inside it, and that its
// QR code can be read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPngBits } from '../../../../tests/support/read-png.ts';
import { readQrPng } from '../../../../tests/support/read-qr-png.ts';
import type { Box } from '../../../platform/drawing/boxes.ts';
import { makeTypesetter } from '../../../platform/drawing/fonts.ts';
import { type CodePicture, layOutCodePicture } from './code-picture.ts';
import { writeCodePictureSvg } from './code-picture-svg.ts';
import { drawCodePicture } from './draw-code-picture.ts';

const JOIN = 'WIFI:T:WPA;S:Sonnenblick Gäste;P:geheim1234;;';
const PICTURE: Omit<CodePicture, 'width' | 'height'> = {
  language: 'de',
  mark: undefined,
  site: 'Ferienwohnung Sonnenblick am Weiher',
  code: '04827-15936',
  message: '',
  allowance: '1 Gerät, 8 Stunden ab erster Nutzung',
  wifi: ['WLAN: Sonnenblick Gäste', 'Passwort: geheim1234'],
  qr: { text: JOIN, caption: 'Mit dem WLAN verbinden' },
};
const WITHOUT_CODE = {
  ...PICTURE,
  mark: 'Demo – ohne WLAN',
  code: undefined,
  allowance: '',
  message: 'Gerade gibt es keinen Code. Bitte fragen Sie an der Rezeption.',
};
const SIZES = [
  [800, 480],
  [480, 800],
  [296, 128],
  [122, 250],
  [401, 301],
  [200, 200],
  [100, 100],
  [2000, 100],
  [100, 2000],
  [2000, 2000],
] as const;

const textsOf = (boxes: Box[], role?: string) =>
  boxes.flatMap((box) => (box.kind === 'text' && (!role || box.role === role) ? box.lines : []));

for (const [width, height] of SIZES)
  test(`${width} × ${height}: the code and everything else is inside`, () => {
    for (const picture of [PICTURE, WITHOUT_CODE]) {
      const { boxes } = layOutCodePicture(makeTypesetter(), { ...picture, width, height });
      const code = textsOf(boxes, 'code').map(({ text }) => text);
      assert.equal(code.join(''), picture.code ?? '');
      for (const box of boxes) {
        const parts = box.kind === 'text' ? box.lines : [];
        for (const { x, y, width: own } of parts)
          assert.ok(x >= 0 && (x + own) * 8 <= width + 1 && y * 8 <= height, JSON.stringify(box));
        if (box.kind === 'qr')
          assert.ok(box.x >= 0 && (box.x + box.width) * 8 <= width && (box.y + box.height) * 8 <= height);
      }
      assert.ok(textsOf(boxes).length > 0);
    }
  });

for (const [width, height] of SIZES.slice(0, 6))
  test(`${width} × ${height}: has one bit per dot, and its QR code joins the Wi-Fi`, async () => {
    const png = await drawCodePicture({ codePicture: { ...PICTURE, width, height }, form: 'png' });
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]], [width, height, 1, 0]);
    assert.ok(readPngBits(png).bits.some((byte) => byte !== 0));
    assert.equal(readQrPng(png), JOIN);
  });

test('without a Wi-Fi, the picture has no QR code, and hostile texts stay texts', () => {
  const hostile = '"><script>alert(1)</script>&amp;';
  const picture = { ...PICTURE, site: hostile, wifi: [], qr: undefined, width: 800, height: 480 };
  const svg = writeCodePictureSvg(picture);
  assert.ok(!svg.includes('<script') && !svg.includes('<path'));
  assert.ok(svg.includes('04827-15936'));
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 800 480"/);
});
