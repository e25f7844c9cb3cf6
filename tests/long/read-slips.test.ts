// What comes out of receipt printers can be read: tesseract finds the code and the texts in the pictures that simulated
// printers of all three kinds made of the jobs of a running service, on both rolls, in German and in English.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type Bitmap,
  decodePng,
  encodePng,
  type Paper,
  startCloudPrntPrinter,
  startEpsonPrinter,
  startEscPosPrinter,
} from '../../packages/printers/src/index.ts';
import { openInstallation } from '../../src/app/installation.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { FIRST_SLIP } from '../../src/kernel/slips/slip.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { TESTER } from '../support/actors.ts';
import { makeFolder, type RunningGastpass, runGastpass, startGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';
import { until } from '../support/until.ts';

const LANGUAGES = {
  de: { trained: 'deu', name: 'Zimmer Größe', words: ['Größe', 'Gerät', 'Stunden', 'Gäste-WLAN'] },
  en: { trained: 'eng', name: 'Meeting room', words: ['Meeting room', 'device', 'hours', 'Guests'] },
} as const;
/** In dots. */
const MAX_LINE_DOTS = 100;
const MARGIN = 20;

type SlipLanguage = keyof typeof LANGUAGES;

const { folder, remove } = makeFolder();
const dataDir = join(folder, 'data');
const out = join(folder, 'slips');
const sites = new Map<SlipLanguage, number>();
let service: RunningGastpass;

before(async () => {
  service = await startGastpass({ dataDir, environment: { GASTPASS_DEMO: '0' } });
  const installation = await openInstallation(await configOf(dataDir), systemClock);
  for (const [language, wifiName] of [
    ['de', 'Gäste-WLAN'],
    ['en', 'Guests'],
  ] as const) {
    const { id } = await run('sites', 'add', '--name', `Haus ${language}`, '--controller', 'simulator');
    const audit = { actor: TESTER, atMs: systemClock.nowMs() };
    await installation.slips.save(asSiteId(id), { ...FIRST_SLIP, wifiName, languages: [language] }, audit);
    sites.set(language, id);
  }
  await installation.close();
});
after(async () => {
  await service.stop();
  remove();
});

async function run(...words: string[]) {
  const { code, stdout, stderr } = await runGastpass([...words, '--json'], { dataDir });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Starts a printer of this kind and adds it to the site. */
async function startPrinter(kind: string, site: number, paper: Paper) {
  const words = ['printers', 'add', '--site', String(site), '--name', 'Tresen', '--kind', kind];
  const add = (...more: string[]) => run(...words, '--paper', String(paper), ...more);
  if (kind === 'escpos') {
    const printer = await startEscPosPrinter({ out, paper });
    const { id } = await add('--address', `127.0.0.1:${printer.port}`);
    return { printer, id };
  }
  const { id, path } = await add();
  const start = kind === 'epson' ? startEpsonPrinter : startCloudPrntPrinter;
  return { printer: start({ url: `${service.url}${path}`, everyMs: 1000, out, paper }), id };
}

/** Reads line by line: beside smaller lines, tesseract misreads the large code. */
function readText(file: string, trained: string): string {
  const words = ['stdin', 'stdout', '-l', trained, '--psm', '7', '--dpi', '203'];
  const lines = linesOf(decodePng(readFileSync(file))).map((line) => {
    const { status, stdout, stderr } = spawnSync('tesseract', words, { input: encodePng(line) });
    assert.equal(status, 0, String(stderr));
    return String(stdout).trim();
  });
  return lines.join('\n');
}

/** The parts between white rows, with a white margin. Parts as high as a QR code are left out. */
function linesOf({ width, height, bits }: Bitmap): Bitmap[] {
  const rowBytes = Math.ceil(width / 8);
  const hasInk = (y: number) => bits.subarray(y * rowBytes, (y + 1) * rowBytes).some((byte) => byte !== 0);
  const rows = Array.from({ length: height }, (_, y) => (hasInk(y) ? '#' : '.')).join('');
  const margin = Buffer.alloc(rowBytes * MARGIN);
  return [...rows.matchAll(/#+/g)]
    .filter(([part]) => part.length <= MAX_LINE_DOTS)
    .map(({ 0: part, index }) => {
      const inked = bits.subarray(index * rowBytes, (index + part.length) * rowBytes);
      return { width, height: part.length + 2 * MARGIN, bits: Buffer.concat([margin, inked, margin]) };
    });
}

for (const kind of ['escpos', 'cloudprnt', 'epson'])
  for (const language of ['de', 'en'] as const)
    for (const paper of [58, 80] as const)
      test(`${kind}, ${paper} mm, ${language}`, { timeout: 120_000 }, async (t) => {
        const site = sites.get(language) ?? assert.fail();
        const { printer, id } = await startPrinter(kind, site, paper);
        t.after(() => printer.stop());
        const { trained, name, words } = LANGUAGES[language];
        const order = ['--site', String(site), '--name', name, '--duration', '8h', '--print', String(id)];
        const [created] = await run('vouchers', 'create', ...order);
        await until(() => printer.slips.length > 0, { otherwise: () => printer.events.join('\n') });
        const file = printer.slips[0]?.file ?? assert.fail();
        const text = readText(file, trained);
        for (const word of words) assert.ok(text.includes(word), `${word} is not in:\n${text}`);
        // Trained on German, tesseract doubles some bold digits.
        const digits = trained === 'eng' ? text : readText(file, 'eng');
        assert.ok(digits.includes(created.formatted_code), `${created.formatted_code} is not in:\n${digits}`);
        assert.equal(
          printer.events.find((event) => /unknown|cannot/.test(event)),
          undefined,
        );
      });
