// The simulated client of Server Direct Print: its requests, its slips and every fault.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { startEpsonPrinter } from '../src/epson/printer.ts';
import { parseXml } from '../src/epson/xml.ts';
import type { Faults } from '../src/faults.ts';
import type { PollingPrinter } from '../src/polling/polling-printer.ts';
import { type FakeServer, startFakeServer } from './support/fake-server.ts';
import { LETTERS, show } from './support/pictures.ts';
import { until } from './support/until.ts';

const NAMESPACE = 'http://www.epson-pos.com/schemas/2011/03/epos-print';
const IMAGE = `<image width="8" height="5">${Buffer.from(LETTERS.bits).toString('base64')}</image>`;

function request({
  version = '2.00',
  devid = 'local_printer',
  namespace = NAMESPACE,
  content = `${IMAGE}<cut/>`,
} = {}) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PrintRequestInfo Version="${version}"><ePOSPrint><Parameter><devid>${devid}</devid><timeout>10000</timeout>
<printjobid>job1</printjobid></Parameter><PrintData><epos-print xmlns="${namespace}">${content}</epos-print></PrintData>
</ePOSPrint></PrintRequestInfo>`;
}

let server: FakeServer;
let printer: PollingPrinter;
beforeEach(async () => {
  server = await startFakeServer();
  serve(request());
});
afterEach(async () => {
  await printer.stop();
  await server.stop();
});

/** Hands the job out once. */
function serve(job: string): void {
  let isOut = false;
  server.reply = ({ body }) => {
    if (isOut || !body.startsWith('ConnectionType=GetRequest')) return {};
    isOut = true;
    return { body: job };
  };
}

function start(faults: Faults = {}) {
  printer = startEpsonPrinter({ url: server.url, id: 'desk', faults });
}

const forms = () => server.asked.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
const kinds = () => forms().map(({ ConnectionType }) => ConnectionType);

/** Attributes of the last response that the printer sent about a job. */
function lastResponse(): Record<string, string> {
  const root = parseXml(forms().at(-1)?.ResponseFile ?? '');
  return root.children[0]?.children[1]?.children[0]?.attributes ?? {};
}

test('a job is asked for, printed and reported', async () => {
  start();
  await printer.poll();
  await printer.poll();
  assert.deepEqual(kinds(), ['GetRequest', 'SetResponse', 'GetRequest']);
  assert.deepEqual(forms()[0], { ConnectionType: 'GetRequest', ID: 'desk' });
  assert.equal(server.asked[0]?.contentType, 'application/x-www-form-urlencoded');
  assert.equal(
    forms()[1]?.ResponseFile,
    `<?xml version="1.0" encoding="UTF-8"?>
<PrintResponseInfo Version="2.00"><ePOSPrint><Parameter><devid>local_printer</devid><printjobid>job1</printjobid></Parameter>` +
      `<PrintResponse><response xmlns="${NAMESPACE}" success="true" code="" status="2" battery="0"/></PrintResponse>` +
      '</ePOSPrint></PrintResponseInfo>',
  );
  const [slip] = printer.slips;
  assert.ok(slip);
  assert.deepEqual([slip.width, slip.height, slip.ending], [576, 5, 'cut']);
  assert.deepEqual(show(slip, 8, 5), show(LETTERS, 8, 5));
});

test('it feeds lines and dots, reports unknown elements, and answers in the version of the request', async () => {
  serve(
    request({
      version: '3.00',
      content: `${IMAGE}<feed/><feed line="2"/><feed unit="7"/><text>Hi &amp; bye</text>`,
    }),
  );
  start();
  await printer.poll();
  assert.deepEqual([printer.slips[0]?.height, printer.slips[0]?.ending], [5 + 30 + 60 + 7, 'uncut']);
  assert.equal(printer.events[0], 'unknown element: text');
  assert.match(
    forms()[1]?.ResponseFile ?? '',
    /Version="3.00"><ServerDirectPrint><Response Success="true"\/>/,
  );
});

test('jobs that it cannot read are refused with the code of the manual', async () => {
  start();
  for (const [job, code] of [
    [{ devid: 'kitchen' }, 'DeviceNotFound'],
    [{ namespace: 'urn:other' }, 'SchemaError'],
    [{ content: '<image width="9" height="5">AA==</image>' }, 'SchemaError'],
    [{ content: '<image width="8" height="1" mode="gray16">AA==</image>' }, 'SchemaError'],
    [{ content: '<feed line="many"/>' }, 'SchemaError'],
  ] as const) {
    serve(request(job));
    await printer.poll();
    assert.deepEqual([lastResponse().success, lastResponse().code], ['false', code]);
  }
  for (const document of [
    '<a>',
    '<PrintRequestInfo Version="9"/>',
    '<a></b>',
    '<a/><b/>',
    '<a>&nbsp;</a>',
    '<a b=c/>',
  ]) {
    serve(document);
    await printer.poll();
    assert.match(
      forms().at(-1)?.ResponseFile ?? '',
      /<Response Success="false"><ErrorSummary>Invalid XML format/,
    );
  }
  assert.deepEqual(printer.slips, []);
});

test('a refused poll is reported', async () => {
  server.reply = () => ({ status: 429 });
  start();
  await printer.poll();
  assert.deepEqual(printer.events, ['poll: 429']);
});

test('paper-out and cover-open: the job is refused before anything is printed', async () => {
  start({ 'paper-out': true });
  await printer.poll();
  assert.deepEqual([lastResponse().code, lastResponse().status], ['EPTR_REC_EMPTY', String(0xa_0008)]);
  printer.setFault('cover-open');
  serve(request());
  await printer.poll();
  assert.deepEqual([lastResponse().code, lastResponse().status], ['EPTR_COVER_OPEN', String(0x28)]);
  assert.deepEqual(printer.slips, []);
});

test('paper-ends-after-rows: half a slip, reported as a failure', async () => {
  start({ 'paper-ends-after-rows': 2 });
  await printer.poll();
  assert.deepEqual([printer.slips[0]?.height, lastResponse().code], [2, 'EPTR_REC_EMPTY']);
});

test('dies-after-bytes and dies-after-rows: the job is not reported', async () => {
  start({ 'dies-after-bytes': 100 });
  await printer.poll();
  assert.deepEqual(printer.slips, []);
  serve(request());
  printer.setFault('dies-after-bytes', false);
  printer.setFault('dies-after-rows', 3);
  await printer.poll();
  assert.deepEqual(
    printer.slips.map(({ height, ending }) => [height, ending]),
    [[3, 'power-lost']],
  );
  assert.deepEqual(kinds(), ['GetRequest', 'GetRequest']);
});

test('slow, offline, prints-nothing, forgets-to-confirm', async () => {
  start({ slow: 2000, 'prints-nothing': true });
  const turn = printer.poll();
  await until(() => kinds().length > 0);
  assert.deepEqual(kinds(), ['GetRequest']);
  printer.setFault('slow', false);
  await turn;
  assert.deepEqual([lastResponse().success, printer.slips.length], ['true', 0]);

  printer.setFault('prints-nothing', false);
  printer.setFault('offline');
  await printer.poll();
  assert.equal(server.asked.length, 2);

  serve(request());
  printer.setFault('offline', false);
  printer.setFault('forgets-to-confirm');
  await printer.poll();
  assert.deepEqual([kinds().slice(2), printer.slips.length], [['GetRequest'], 1]);
});

test('polls-twice: two requests at once', async () => {
  start({ 'polls-twice': true });
  await printer.poll();
  assert.deepEqual(kinds(), ['GetRequest', 'GetRequest', 'SetResponse']);
  assert.equal(printer.slips.length, 1);
});
