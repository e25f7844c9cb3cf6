// Tests the connection to an ESC/POS printer against printers of all kinds: none gets a job before it is ready, none a
// second time, and a job counts as printed only if nothing speaks against it.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { writeEscPosJob } from '../../src/features/printers/channel/escpos-job.ts';
import { makePrinterNetwork } from '../../src/features/printers/channel/tcp-connection.ts';
import { makeTcpPrinting, type PrintResult } from '../../src/features/printers/channel/tcp-session.ts';
import {
  BROKEN,
  COVER_OPEN,
  OFFLINE,
  PAPER_LOW,
  PAPER_OUT,
  type RawBehaviour,
  type RawPrinter,
  startRawPrinter,
} from '../support/printers/raw-printer.ts';

const soon = { timeout: 30_000 };
const limits = { connectMs: 2_000, replyMs: 200, stallMs: 500, confirmMs: 500, quietMs: 100 };
const QUESTION_BYTES = 9;

const bits = Buffer.alloc(48 * 300, 0xaa);
const bytes = writeEscPosJob({ width: 384, height: 300, bits }, { copies: 1, hasCutter: true });

let printer: RawPrinter;
let begun = 0;
before(async () => {
  printer = await startRawPrinter();
});
beforeEach(async () => {
  await printer.clear();
  begun = 0;
});
after(() => printer[Symbol.asyncDispose]());

function print({
  rule = 'any',
  host = '127.0.0.1',
  job = bytes,
  signal = new AbortController().signal,
  begin = async () => true,
  own = limits,
}: {
  rule?: 'any' | 'public';
  host?: string;
  job?: Uint8Array;
  signal?: AbortSignal;
  begin?: () => Promise<boolean>;
  own?: typeof limits;
} = {}): Promise<PrintResult> {
  const printing = makeTcpPrinting({ network: makePrinterNetwork(rule), limits: own });
  const count = () => {
    begun++;
    return begin();
  };
  return printing.print({ address: { host, port: printer.port }, bytes: job, begin: count }, signal);
}

const slips = () => printer.slips.map(({ isWhole }) => (isWhole ? 'whole' : 'part'));

test('a printer that answers prints the job and confirms it', soon, async () => {
  assert.deepEqual(await print(), {
    result: 'printed',
    isConfirmed: true,
    status: { state: 'ready', words: null },
  });
  assert.equal(printer.slips[0]?.rows.compare(bits), 0);
  assert.deepEqual([slips(), begun, printer.isIdle()], [['whole'], 1, true]);
});

test('a printer that never answers gets the job, too', soon, async () => {
  printer.behave({ states: null });
  assert.partialDeepStrictEqual(await print(), { result: 'printed', isConfirmed: false });
  assert.deepEqual(slips(), ['whole']);
});

test('a printer that has answered before and is busy now gets no job', soon, async () => {
  const printing = makeTcpPrinting({ network: makePrinterNetwork('any'), limits });
  const address = { host: '127.0.0.1', port: printer.port };
  const printNow = () =>
    printing.print({ address, bytes, begin: async () => true }, new AbortController().signal);
  assert.equal((await printNow()).result, 'printed');
  printer.behave({ instead: () => {} });
  assert.deepEqual(await printNow(), {
    result: 'not-ready',
    status: { state: 'silent', words: 'the printer takes connections, but no longer answers' },
  });
  printer.behave({});
  assert.partialDeepStrictEqual(await printNow(), { result: 'printed', isConfirmed: true });
  assert.deepEqual(slips(), ['whole', 'whole']);
});

test('a reply counts if it came in time, but the process was too busy to read it', soon, async () => {
  const replyAndBeBusy = (socket: Socket) => {
    socket.write(Uint8Array.of(OFFLINE[0]));
    const overAt = performance.now() + 2 * limits.replyMs;
    while (performance.now() < overAt);
  };
  printer.behave({ instead: (socket) => socket.once('data', () => replyAndBeBusy(socket)).resume() });
  assert.partialDeepStrictEqual(await print(), { result: 'not-ready', status: { state: 'fault' } });
  assert.equal(begun, 0);
});

test(
  'a printer that keeps a connection open although it has everything is not waited for',
  soon,
  async () => {
    printer.behave({ instead: (socket) => socket.resume() });
    assert.partialDeepStrictEqual(await print(), { result: 'printed', isConfirmed: false });
  },
);

const NOT_READY: Record<string, [RawBehaviour, string, RegExp?]> = {
  'has an open cover': [{ states: COVER_OPEN }, 'cover-open'],
  'has no paper': [{ states: PAPER_OUT }, 'paper-out'],
  'is offline': [{ states: OFFLINE }, 'fault', /offline/],
  'reports an error': [{ states: BROKEN }, 'fault', /error/],
  'resets the connection': [{ diesAfter: 0 }, 'silent'],
  'closes the connection': [{ diesAfter: 0, dies: 'close' }, 'silent', /closed/],
  'dies after the first question': [{ diesAfter: 3 }, 'silent'],
  'dies before its last answer': [{ diesAfter: QUESTION_BYTES }, 'silent'],
  'says what no printer says': [
    { instead: (socket) => socket.resume().write('SSH-2.0-OpenSSH_9.2\r\n') },
    'fault',
    /not answer like a receipt printer/,
  ],
  'never stops talking': [
    {
      instead: (socket) => {
        const talk = () => socket.writable && socket.write(Buffer.alloc(65_536, 0x12), talk);
        talk();
        socket.resume();
      },
    },
    'silent',
    /sends too much/,
  ],
};

for (const [name, [behaviour, state, words]] of Object.entries(NOT_READY))
  test(`nothing is sent to a printer that ${name}`, soon, async () => {
    printer.behave(behaviour);
    const result = await print();
    assert.ok(result.result === 'not-ready', JSON.stringify(result));
    assert.equal(result.status.state, state);
    if (words) assert.match(result.status.words ?? '', words);
    assert.deepEqual([slips(), begun], [[], 0]);
  });

test('paper that is running low is enough', soon, async () => {
  printer.behave({ states: PAPER_LOW });
  assert.equal((await print()).result, 'printed');
});

const half = QUESTION_BYTES + Math.floor(bytes.length / 2);
const UNKNOWN: Record<string, [RawBehaviour, RegExp?]> = {
  'dies half-way': [{ diesAfter: half }],
  'closes the connection half-way': [{ diesAfter: half, dies: 'close' }],
  'dies with the last byte': [{ diesAfter: QUESTION_BYTES + bytes.length + 3 }],
  'dies half-way and never answers': [{ diesAfter: half, states: null }],
  'closes the connection half-way and never answers': [{ diesAfter: half, states: null, dies: 'close' }],
  'reads no further': [{ stallsAfter: half }, /did not confirm/],
  'does not confirm': [{ confirmation: null }, /did not confirm/],
  'confirms with what is no confirmation': [{ confirmation: 0xff }, /not answer like/],
};

for (const [name, [behaviour, error]] of Object.entries(UNKNOWN))
  test(`it is unknown whether a printer that ${name} has printed`, soon, async () => {
    printer.behave(behaviour);
    const result = await print();
    assert.ok(result.result === 'unknown', JSON.stringify(result));
    if (error) assert.match(result.error, error);
    assert.equal(begun, 1);
    assert.ok(printer.slips.length <= 1);
  });

test('a printer that runs out of paper during the job says so', soon, async () => {
  let asked = 0;
  printer.behave({
    instead(socket) {
      // Answers three questions. Later questions stand behind the dots.
      socket
        .on('data', (chunk) => {
          const isQuestion = chunk.length === 3 && chunk[0] === 0x10;
          const replies = asked < 3 ? [0x12, 0x12, 0x12] : [0x1a, 0x32, 0x7e];
          if (isQuestion) socket.write(Uint8Array.of(replies[asked++ % 3] ?? 0));
        })
        .resume();
    },
  });
  assert.deepEqual(await print(), {
    result: 'unknown',
    error: 'the printer did not confirm the job: paper-out',
    status: { state: 'paper-out', words: null },
  });
});

test('a printer that takes no more bytes ends the job', soon, async () => {
  printer.behave({ stallsAfter: QUESTION_BYTES });
  // More than the network keeps.
  const result = await print({ job: Buffer.alloc(32 * 1024 * 1024) });
  assert.partialDeepStrictEqual(result, { result: 'unknown', error: 'the printer took no bytes for 0.5 s' });
});

test('a slow printer, and one that answers late, print the job', soon, async () => {
  const patient = { own: { ...limits, replyMs: 10_000, stallMs: 10_000, confirmMs: 10_000 } };
  printer.behave({ bytesPer10Ms: 500 });
  assert.partialDeepStrictEqual(await print(patient), { result: 'printed', isConfirmed: true });
  printer.behave({ respondsAfterMs: 250 });
  assert.partialDeepStrictEqual(await print(patient), { result: 'printed', isConfirmed: true });
  assert.deepEqual(slips(), ['whole', 'whole']);
});

test('a job that may no longer begin is not sent', soon, async () => {
  assert.deepEqual(await print({ begin: async () => false }), { result: 'refused' });
  await assert.rejects(
    print({
      begin: async () => {
        throw new Error('no database');
      },
    }),
    /no database/,
  );
  assert.deepEqual(slips(), []);
});

test('a signal ends the connection at any moment', soon, async () => {
  printer.behave({ instead: (socket) => socket.resume() });
  const early = new AbortController();
  setTimeout(() => early.abort(), 20);
  assert.equal((await print({ signal: early.signal })).result, 'not-ready');
  printer.behave({ confirmation: null });
  const late = new AbortController();
  const begin = async () => {
    setTimeout(() => late.abort(), 20);
    return true;
  };
  assert.partialDeepStrictEqual(await print({ signal: late.signal, begin }), {
    result: 'unknown',
    error: 'stopped',
  });
  assert.equal((await print({ signal: late.signal })).result, 'not-ready');
});

test('forbidden addresses are not called, and a name stands for its addresses', soon, async () => {
  const connections = printer.connections();
  for (const [host, rule] of [
    ['169.254.1.1', 'any'],
    ['fe80::1', 'any'],
    ['127.0.0.1', 'public'],
    ['localhost', 'public'],
  ] as const) {
    const result = await print({ host, rule });
    assert.ok(result.result === 'not-ready' && result.status.state === 'silent', JSON.stringify(result));
    assert.match(result.status.words ?? '', /link-local|not a public address/);
  }
  assert.equal(printer.connections(), connections);
  assert.equal((await print({ host: 'localhost' })).result, 'printed');
});

test('a check asks for the state and prints nothing', soon, async () => {
  const printing = makeTcpPrinting({ network: makePrinterNetwork('any'), limits });
  const check = (port = printer.port) =>
    printing.check({ host: '127.0.0.1', port }, new AbortController().signal);
  assert.deepEqual(await check(), { state: 'ready', words: null });
  printer.behave({ states: PAPER_OUT });
  assert.deepEqual(await check(), { state: 'paper-out', words: null });
  const silent = await check(9);
  assert.equal(silent.state, 'silent');
  assert.match(silent.words ?? '', /ECONNREFUSED/);
  assert.deepEqual(slips(), []);
});
