// Vouchers as a PDF, checked with third-party tools: text, pages, and QR codes as a camera sees them. Other requests do
// not wait while a PDF is written.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import type { SiteSlip } from '../../src/kernel/slips/slip.ts';
import { TESTER } from '../support/actors.ts';
import { pagesOf, pictureOf, qrIn, textOf, titleOf, toMm } from '../support/poppler.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { addUser, loggedIn, type WebClient } from '../web/web-client.ts';

const MIN_QR_MM = 25;
/** The width of seven modules of a small QR code, in dots at the resolution at which the pages are rendered. */
const EYE_DOTS = 60;
const AUDIT = { actor: TESTER, atMs: 1 };
const SLIP: SiteSlip = {
  wifiName: 'Gäste; Łódź 東京',
  wifiSecurity: 'wpa',
  wifiPassword: 'p;a:s,s"w\\ort',
  text: 'Guten Tag\nFrühstück ab 7',
};
const JOIN = 'WIFI:T:WPA;S:Gäste\\; Łódź 東京;P:p\\;a\\:s\\,s\\"w\\\\ort;;';
/** Two pixels: blue, and a translucent red. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGNgYPj//z8DQwMAD3oDfpedHqcAAAAASUVORK5CYII=',
  'base64',
);

let service: TestService;
let webClient: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

const put = (slip: SiteSlip) => service.beside.slips.save(asSiteId(1), slip, AUDIT);

async function make(name: string, count: number) {
  const { location } = await webClient.post('/vouchers', { site: '1', name, count: String(count) });
  const batch = location?.split('/').at(-1) ?? '';
  // The service responds to a form after a few seconds, even if the batch is still running.
  await until(() => service.rows('select id from batches where ended_at_ms is null').length === 0);
  const codes = service
    .rows(`select code from vouchers where batch_id = '${batch}' order by id`)
    .map(({ code }) => String(code));
  return { batch, codes };
}

async function getPdf(query: string): Promise<Buffer> {
  const cookie = [...webClient.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${service.url}/vouchers/pdf?${query}`, {
    headers: { cookie, 'accept-language': 'de' },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /^attachment; filename="[\w-]+_[\d-]+\.pdf"/,
  );
  return Buffer.from(await response.arrayBuffer());
}

const grouped = (code: string) => code.replace(/^(.{5})/, '$1-');

test('twelve plain vouchers fill two sheets, each with its code as text and as its own QR code', async () => {
  const { batch, codes } = await make('Zimmer 4', 12);
  const pdf = await getPdf(`batch=${batch}`);
  assert.deepEqual(pagesOf(pdf), [
    [210, 297],
    [210, 297],
  ]);
  assert.equal(titleOf(pdf), 'Gastpass · 12 Voucher');
  const text = textOf(pdf);
  for (const code of codes) assert.ok(text.includes(grouped(code)), code);
  assert.match(text, /WLAN-Zugang · Zimmer 4/);
  assert.match(text, /1 Gerät, 8 Stunden/);
  for (const index of [0, 1, 9, 10]) {
    const place = index % 10;
    const [x, y] = [8 + (place % 2) * 97, 8 + Math.floor(place / 2) * 56.2];
    const area = { page: index < 10 ? 1 : 2, x, y, width: 97, height: 56 };
    assert.equal(qrIn(pdf, area), codes[index]);
    assert.ok(widthOfQrMm(pictureOf(pdf, area)) >= MIN_QR_MM);
  }
});

test('a slip shows the Wi-Fi name in any script and its QR code; unknown characters are left out', async () => {
  await put({ ...SLIP, languages: ['en'] });
  const name = 'Łódź 東京 Привет';
  const { batch, codes } = await make(`${name} 🎉`, 2);
  const pdf = await getPdf(`batch=${batch}`);
  const text = textOf(pdf).replaceAll('\n', ' ');
  const password = SLIP.wifiPassword ?? '';
  assert.doesNotMatch(text, /\ufffd/);
  for (const part of [name, SLIP.wifiName, password, 'Scan to join', 'Frühstück ab 7'])
    assert.ok(text.includes(part), `${part} in ${text}`);
  for (const code of codes) assert.ok(text.includes(grouped(code)));
  for (const x of [8, 105]) assert.equal(qrIn(pdf, { page: 1, x, y: 8, width: 97, height: 70 }), JOIN);
});

test('on the roll each voucher has a page 80 mm wide, as high as its content', async () => {
  const { batch, codes } = await make('Bon', 2);
  const high = pagesOf(await getPdf(`batch=${batch}&paper=receipt`));
  await put({ ...SLIP, wifiName: '', text: '' });
  const pdf = await getPdf(`batch=${batch}&paper=receipt`);
  const low = pagesOf(pdf);
  assert.deepEqual(
    [...high, ...low].map(([width]) => width),
    [80, 80, 80, 80],
  );
  const height = low[0]?.[1] ?? 0;
  assert.ok((high[0]?.[1] ?? 0) > height);
  for (const [index, code] of codes.entries()) {
    const area = { page: index + 1, x: 0, y: 0, width: 80, height };
    assert.equal(qrIn(pdf, area), code);
    assert.ok(widthOfQrMm(pictureOf(pdf, area)) >= MIN_QR_MM);
  }
});

/**
 * Measures from the outer edge of the left finder pattern to the outer edge of the right one: the widest row with two
 * runs of seven pure black modules.
 */
function widthOfQrMm({ width, height, data }: ReturnType<typeof pictureOf>): number {
  const eye = new RegExp(`#{${EYE_DOTS},}`, 'g');
  const rows = Array.from({ length: height }, (_, y) => {
    const dots = Array.from({ length: width }, (_, x) => (data[(y * width + x) * 3] === 0 ? '#' : ' '));
    const runs = [...dots.join('').matchAll(eye)].map(({ index, 0: run }) => [index, index + run.length]);
    return (runs.at(-1)?.[1] ?? 0) - (runs[0]?.[0] ?? 0);
  });
  return toMm(Math.max(...rows));
}

test('a PDF being written delays no other request, and contains the logo once for all slips', async () => {
  await service.beside.images.save('logo', { type: 'image/png', bytes: LOGO }, AUDIT);
  const { batch, codes } = await make('Viele', 60);
  // Writing starts a worker thread. Only a request sent after that and answered before the PDF is complete counts.
  let isBegun = false;
  process.once('worker', () => {
    isBegun = true;
  });
  let isWritten = false;
  const written = getPdf(`batch=${batch}`).finally(() => {
    isWritten = true;
  });
  let responded = 0;
  while (!isWritten) {
    const isAskedMeanwhile = isBegun;
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
    if (isAskedMeanwhile && !isWritten) responded += 1;
  }
  assert.ok(responded > 0, 'no other request got a response');
  const pdf = await written;
  assert.ok(textOf(pdf).includes(grouped(codes[59] ?? '')));
  // The image and its alpha channel.
  assert.equal(pdf.toString('latin1').match(/\/Subtype \/Image/g)?.length, 2);
});

test('a logo that cannot be drawn is left out, and the title takes its place', async () => {
  // A byte within the compressed image data.
  const broken = Buffer.from(LOGO);
  broken[LOGO.indexOf('IDAT') + 4] = 0;
  await service.beside.images.save('logo', { type: 'image/png', bytes: broken }, AUDIT);
  const { batch, codes } = await make('Trotzdem', 1);
  const text = textOf(await getPdf(`batch=${batch}`));
  assert.ok(text.includes('Gastpass') && text.includes(grouped(codes[0] ?? '')), text);
});
