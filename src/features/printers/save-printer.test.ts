// What can be typed when a printer is added or changed, and what is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TESTER } from '../../../tests/support/actors.ts';
import { SITE } from '../../../tests/support/site.ts';
import { asPrinterId, asSiteId } from '../../kernel/ids.ts';
import type { NewPrinter, Printer, PrinterSettings } from './printer.ts';
import { makeAddPrinter, makeChangePrinter, type PrinterIssues, type TypedPrinter } from './save-printer.ts';

const by = { actor: TESTER, atMs: 0 };
const typed: TypedPrinter = { siteId: SITE.id, kind: 'escpos', name: 'Rezeption', address: '10.0.0.5' };

const added: NewPrinter[] = [];
const updated: Partial<PrinterSettings>[] = [];
const deps = {
  printers: {
    add: async (printer: NewPrinter) => asPrinterId(added.push(printer)),
    update: async (_id: unknown, settings: Partial<PrinterSettings>) => updated.push(settings) > 0,
  },
  sites: { find: async (id: number) => (id === SITE.id ? SITE : undefined) },
  findIpIssue: (ip: string) => (ip.startsWith('169.254.') ? 'is never called' : undefined),
};
const addPrinter = makeAddPrinter(deps);
const changePrinter = makeChangePrinter(deps);

async function issuesOf(change: Partial<TypedPrinter>): Promise<PrinterIssues> {
  const result = await addPrinter({ ...typed, ...change }, by);
  return result.ok ? {} : result.problem;
}

test('A printer gets the defaults, and a printer that polls gets a path', async () => {
  const direct = await addPrinter({ ...typed, name: ' Rezeption ' }, by);
  assert.deepEqual(direct.ok && direct.value.path, null);
  assert.deepEqual(added.at(-1), {
    siteId: SITE.id,
    kind: 'escpos',
    name: 'Rezeption',
    address: '10.0.0.5',
    paper: 80,
    layout: 'full',
    copies: 1,
    hasCutter: true,
    jobMinutes: 10,
  });
  for (const kind of ['cloudprnt', 'epson']) {
    const polling = await addPrinter({ ...typed, kind, address: undefined }, by);
    assert.match((polling.ok && polling.value.path) || '', new RegExp(`^/print/${kind}/[0-9A-Za-z]{32}$`));
    assert.equal(added.at(-1)?.address, null);
  }
});

test('An address is HOST or HOST:PORT, and is stored in its shortest form', async () => {
  const good = {
    'printer.example.org': 'printer.example.org',
    'drucker_1:9100': 'drucker_1',
    ' 10.0.0.5:9101 ': '10.0.0.5:9101',
    'fd00::5': '[fd00::5]',
    '[fd00::5]': '[fd00::5]',
    '[fd00::5]:515': '[fd00::5]:515',
    'drucker.küche.example': 'drucker.xn--kche-0ra.example',
  };
  for (const [text, stored] of Object.entries(good)) {
    assert.deepEqual(await issuesOf({ address: text }), {}, text);
    assert.equal(added.at(-1)?.address, stored);
  }
  const wrong = ['tcp://10.0.0.5', '10.0.0.5/x', '10.0.0.5:', '10.0.0.5:0', 'a:65536', 'a b', '256.1.1.1'];
  for (const address of [...wrong, '[fd00::5', '[a]:9100', 'a:1:2', 'user@a', 'a'.repeat(254), ':9100'])
    assert.deepEqual(await issuesOf({ address }), { address: 'wrong' }, address);
  assert.deepEqual(await issuesOf({ address: undefined }), { address: 'missing' });
  assert.deepEqual(await issuesOf({ address: '169.254.169.254:80' }), { address: 'forbidden' });
  assert.deepEqual(await issuesOf({ kind: 'epson' }), { address: 'not-used' });
});

test('Every wrong value is named at once', async () => {
  assert.deepEqual(
    await issuesOf({
      siteId: asSiteId(2),
      name: ' ',
      address: '',
      paper: '76',
      layout: 'none',
      copies: '6',
      jobMinutes: '1441',
    }),
    {
      site: 'not-found',
      name: 'missing',
      address: 'missing',
      paper: 'not-known',
      layout: 'not-known',
      copies: 'out-of-range',
      jobMinutes: 'out-of-range',
    },
  );
  assert.deepEqual(await issuesOf({ kind: 'fax', address: undefined }), { kind: 'not-known' });
  assert.deepEqual(await issuesOf({ name: 'a'.repeat(61) }), { name: 'too-long' });
  assert.deepEqual(await issuesOf({ name: '😀'.repeat(60) }), {});
  assert.deepEqual(await issuesOf({ name: 'a\u200bb' }), { name: 'not-plain' });
  assert.deepEqual(await issuesOf({ copies: '0', jobMinutes: '1.5' }), {
    copies: 'out-of-range',
    jobMinutes: 'out-of-range',
  });
});

test('A change stores only what differs, and keeps a value of a newer release', async () => {
  const printer: Printer = {
    ...{ id: asPrinterId(1), siteId: SITE.id, siteName: 'Haus A', kind: 'escpos', name: 'Rezeption' },
    ...{ address: '10.0.0.5', paper: 80, layout: 'unknown', copies: 1, hasCutter: true, jobMinutes: 10 },
    ...{ status: null, seenAtMs: null },
  };
  updated.length = 0;
  const same = { name: 'Rezeption', address: '10.0.0.5:9100', paper: '80', layout: '', hasCutter: true };
  assert.equal((await changePrinter(printer, same, by)).ok, true);
  assert.deepEqual(updated, []);
  await changePrinter(printer, { ...same, layout: 'code', hasCutter: false, copies: '2' }, by);
  assert.deepEqual(updated, [{ layout: 'code', hasCutter: false, copies: 2 }]);
  const refused = await changePrinter(printer, { address: '' }, by);
  assert.deepEqual(refused, { ok: false, problem: { address: 'missing' } });
});
