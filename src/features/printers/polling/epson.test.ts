// Tests how requests of Epson printers are read, and that hostile documents do no harm.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRequest } from './epson.ts';
import { readTags } from './xml-tags.ts';

const send = (fields: Record<string, string>) =>
  readRequest(Buffer.from(new URLSearchParams(fields).toString()));
const respond = (xml: string) => send({ ConnectionType: 'SetResponse', ID: 'x', ResponseFile: xml });
const notify = (xml: string) => send({ ConnectionType: 'SetStatus', ID: 'x', Status: xml });

const result = (attributes: string, id: string | number = 7) =>
  respond(`<?xml version="1.0" encoding="utf-8"?>
<PrintResponseInfo Version="2.00"><ePOSPrint><Parameter><devid>local_printer</devid><printjobid>${id}</printjobid>
</Parameter><PrintResponse><response xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print" ${attributes} />
</PrintResponse></ePOSPrint></PrintResponseInfo>`);

const fateOf = (code: string) => {
  const read = result(`success="false" code="${code}" status="1"`);
  return read?.kind === 'result' ? read.report.fate : undefined;
};

test('a printer asks for work', () => {
  assert.deepEqual(send({ ConnectionType: 'GetRequest', ID: '', Password: '' }), { kind: 'poll' });
  for (const type of ['', 'getrequest', 'Other', '__proto__'])
    assert.equal(send({ ConnectionType: type }), undefined);
  assert.equal(readRequest(Buffer.alloc(0)), undefined);
});

describe('a result', () => {
  test('names the job, and says that it was printed', () => {
    assert.deepEqual(result(`success='true' code="" status="251658262" battery="0"`), {
      kind: 'result',
      job: 7,
      report: { fate: 'printed', status: null, words: null },
      printer: { state: 'ready', words: null },
    });
    assert.partialDeepStrictEqual(result('success="1"', ' 12 '), { job: 12 });
    for (const id of ['', 'x', '-1', '0', '1e3', '9'.repeat(40)])
      assert.partialDeepStrictEqual(result('success="1"', id), { job: undefined });
  });

  test('of the first version names no job', () => {
    const xml =
      '<PrintResponseInfo Version="1.00"><response success="false" code="EX_BADPORT"/></PrintResponseInfo>';
    assert.partialDeepStrictEqual(respond(xml), { job: undefined, report: { fate: 'unclear' } });
  });

  test('decides by its code what becomes of the job', () => {
    const codes = [
      ...['EPTR_REC_EMPTY', 'EPTR_COVER_OPEN', 'EPTR_AUTOMATICAL', 'EPTR_CUTTER', 'EPTR_MECHANICAL'],
      ...[
        'EPTR_UNRECOVERABLE',
        'SchemaError',
        'DeviceNotFound',
        'PrintSystemError',
        'EX_BADPORT',
        'EX_TIMEOUT',
      ],
      ...['EX_SPOOLER', 'JobNotFound', '', 'constructor', '__proto__'],
    ];
    assert.deepEqual(
      codes.filter((code) => fateOf(code) !== 'unclear').map((code) => [code, fateOf(code)]),
      [
        ['SchemaError', 'refused'],
        ['DeviceNotFound', 'later'],
        ['EX_SPOOLER', 'later'],
      ],
    );
  });

  test('reports the state of the printer, by its code or by its status', () => {
    const stateOf = (attributes: string) => {
      const read = result(`success="false" ${attributes}`);
      return read?.kind === 'result' ? read.printer?.state : undefined;
    };
    assert.equal(stateOf('code="EPTR_REC_EMPTY" status="1"'), 'paper-out');
    assert.equal(stateOf('code="EPTR_COVER_OPEN"'), 'cover-open');
    assert.equal(stateOf('code="EX_BADPORT" status="1"'), 'fault');
    assert.equal(stateOf('code="EX_TIMEOUT" status="524288"'), 'paper-out');
    assert.equal(stateOf('code="EX_TIMEOUT" status="many"'), undefined);
  });

  test('can be about the document instead of the job', () => {
    const refusal = (summary: string) =>
      respond(`<PrintResponseInfo Version="3.00"><ServerDirectPrint><Response Success="false">
<ErrorSummary>${summary}</ErrorSummary><ErrorDetail>line 99: expected &apos;&gt;&apos;</ErrorDetail></Response></ServerDirectPrint></PrintResponseInfo>`);
    const words = (fate: string, summary: string) => ({ job: undefined, report: { fate, words: summary } });
    for (const [fate, summary] of [
      ['refused', 'Invalid XML format'],
      ['refused', 'Data size is exceeded'],
      ['later', 'Invalid printer settings'],
    ] as const)
      assert.partialDeepStrictEqual(refusal(summary), words(fate, summary));
  });
});

test('a printer reports its state', () => {
  const status = (bits: string) =>
    notify(`<?xml version="1.0"?>
<statusmonitor Version="1.00"><printerstatus devicename="kitchen" asbstatus = "0x00000001"/>
<printerstatus devicename="local_printer" asbstatus = "${bits}"/></statusmonitor>`);
  const stateOf = (bits: string) => {
    const read = status(bits);
    return read?.kind === 'status' ? read.printer?.state : assert.fail('not read');
  };
  assert.deepEqual(['0x0F000014', '0x0F00003C', '0x0F08001C', '0x00000001', '0x0F02001C', 'x'].map(stateOf), [
    'ready',
    'cover-open',
    'paper-out',
    'fault',
    'fault',
    undefined,
  ]);
});

describe('a document that no printer sends', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY l2 "${'&lol;'.repeat(5_000)}">]><response success="true">&l2;</response>`;
  const hostile = [
    bomb,
    '<!DOCTYPE x SYSTEM "file:///etc/passwd"><response success="true"/>',
    '<![CDATA[<response success="true"/>]]>',
    '<a b="<response success=\'true\'/>">',
    '',
    'success="true"',
    '<response success="true"',
    '<response success=true/>',
    `<a${' '.repeat(60_000)}`,
    `<a${' b="c"'.repeat(10_000)}`,
    `<${'a'.repeat(60_000)}`,
    '<'.repeat(60_000),
    '\u0000'.repeat(60_000),
  ];
  test('is refused', () => {
    for (const xml of hostile) assert.equal(respond(xml), undefined, xml.slice(0, 60));
  });

  test('may have many tags or attributes without harm', () => {
    assert.deepEqual([readTags('<a>'.repeat(100))?.length, readTags('<a>'.repeat(101))], [100, undefined]);
    const [tag] = readTags(`<a ${'constructor="1" '.repeat(3_000)}__proto__="2">&unknown;&amp;lt;</a>`) ?? [];
    assert.deepEqual([tag?.text, tag?.attributes.toString], ['&unknown;&lt;', undefined]);
  });
});
