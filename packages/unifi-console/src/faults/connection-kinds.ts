// Faults of timing and of the connection: responses that are late, slow, incomplete, far too large or missing.

import type { FaultEntry, Turn } from './turn.ts';
import { isWritten } from './turn.ts';

const LATENCY_MS = 1_000;
const DRIP_MS = 100;
const DRIP_BYTES = 1;
const MIB = 1024 * 1024;
const HUGE_BYTES = 32 * MIB;
const CHUNK_BYTES = 64 * 1024;
/** The pause before a reset, so that the client can read the bytes already sent: the reset discards unread bytes. */
const READING_MS = 50;

async function sendHalf({ run, connection, wait }: Turn): Promise<void> {
  const response = run();
  const body = Buffer.from(response.body);
  connection.begin(response);
  await connection.write(body.subarray(0, Math.floor(body.length / 2)));
  await wait(READING_MS);
}

export const connectionKinds = {
  latency: {
    does: 'waits before it does anything; ms (1000)',
    async play({ run, connection, wait }, { ms = LATENCY_MS }) {
      await wait(ms);
      connection.send(run());
    },
  },
  'late-answer': {
    does: 'carries the request out and waits before it answers; ms (1000)',
    async play({ run, connection, wait }, { ms = LATENCY_MS }) {
      const response = run();
      await wait(ms);
      connection.send(response);
    },
  },
  'cut-before-write': {
    does: 'resets the connection; nothing is carried out',
    async play({ connection }) {
      connection.cut();
    },
  },
  'cut-after-write': {
    does: 'carries the request out and resets the connection instead of answering',
    async play({ run, connection }) {
      run();
      connection.cut();
    },
  },
  'cut-mid-answer': {
    does: 'carries the request out and resets the connection in the middle of the answer',
    async play(turn) {
      await sendHalf(turn);
      turn.connection.cut();
    },
  },
  'close-after-answer': {
    does: 'the right answer; then the connection is reset, though nothing had announced it',
    async play({ run, connection, wait }) {
      connection.send(run());
      await connection.sent();
      await wait(READING_MS);
      connection.cut();
    },
  },
  'hang-before-write': {
    does: 'never answers; nothing is carried out',
    async play() {},
  },
  'hang-after-write': {
    does: 'carries the request out and never answers',
    async play({ run }) {
      run();
    },
  },
  'hang-mid-answer': {
    does: 'carries the request out and falls silent in the middle of the answer',
    async play(turn) {
      await sendHalf(turn);
    },
  },
  drip: {
    does: 'the right answer in drops; bytes at a time (1), ms between (100)',
    async play({ run, connection, wait }, { ms = DRIP_MS, bytes = DRIP_BYTES }) {
      const response = run();
      const body = Buffer.from(response.body);
      connection.begin(response);
      for (let start = 0; start < body.length && connection.isOpen(); start += bytes) {
        await connection.write(body.subarray(start, start + bytes));
        await wait(ms);
      }
      connection.end();
    },
  },
  huge: {
    does: 'JSON that does not end for many megabytes; bytes (32 MiB)',
    async play(turn, settings) {
      if (isWritten(settings, true)) turn.run();
      const { bytes = HUGE_BYTES } = settings;
      const { connection } = turn;
      const [start, end] = ['{"meta":{"rc":"ok"},"data":[{"note":"', '"}]}'];
      const chunk = Buffer.alloc(CHUNK_BYTES, 'x');
      connection.begin({ status: 200, headers: { 'Content-Type': 'application/json' }, body: '' });
      await connection.write(start);
      for (let sent = 0; sent < bytes && connection.isOpen(); sent += chunk.length)
        await connection.write(chunk);
      await connection.write(end);
      connection.end();
    },
  },
  'huge-headers': {
    does: 'the right answer behind a header of its own size; bytes (1 MiB)',
    async play({ run, connection }, { bytes = MIB }) {
      const response = run();
      connection.send({ ...response, headers: { ...response.headers, 'X-Padding': 'x'.repeat(bytes) } });
    },
  },
  'not-http': {
    does: 'carries the request out and answers with bytes of another protocol',
    async play({ run, connection }) {
      run();
      connection.sendRaw(Buffer.from('SSH-2.0-dropbear_2022.83\r\n\x00\x01\x02\xff', 'latin1'));
    },
  },
} satisfies Record<string, FaultEntry>;
