// A printer on a TCP port that behaves exactly as it is told to, also as no printer would. It reads the commands that
// we send, and counts what would be on paper.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { until } from '../until.ts';

export interface RawBehaviour {
  /** The replies to `DLE EOT` 1, 2 and 4. Null for a printer that never answers, not even `GS r`. */
  states?: readonly [number, number, number] | null;
  /** Kills the connection when this many bytes of it have arrived. */
  diesAfter?: number;
  /** `close`: without an error. */
  dies?: 'reset' | 'close';
  /** Stops reading when this many bytes have arrived, but keeps the connection. */
  stallsAfter?: number;
  /** Reads at most this many bytes every 10 ms. */
  bytesPer10Ms?: number;
  /** Answers `GS r` with this; null for no answer. */
  confirmation?: number | null;
  /** Waits before each answer. */
  respondsAfterMs?: number;
  /** Does whatever a test wants when a connection begins. The printer does nothing else with it. */
  instead?: (socket: Socket) => void;
}

/** A slip of which at least one dot was received. */
export interface RawSlip {
  isWhole: boolean;
  rows: Buffer;
}

export interface RawPrinter extends AsyncDisposable {
  port: number;
  address: string;
  behave(behaviour: RawBehaviour): void;
  slips: RawSlip[];
  connections(): number;
  /** The bytes of the last connection. */
  received(): number;
  isIdle(): boolean;
  /** Closes all connections, forgets the slips and behaves well. */
  clear(): Promise<void>;
}

const READY = [0x12, 0x12, 0x12] as const;
export const COVER_OPEN = [0x1a, 0x16, 0x12] as const;
export const PAPER_OUT = [0x1a, 0x32, 0x7e] as const;
export const OFFLINE = [0x1a, 0x12, 0x12] as const;
export const BROKEN = [0x1a, 0x52, 0x12] as const;
export const PAPER_LOW = [0x12, 0x12, 0x1e] as const;

export async function startRawPrinter(port = 0): Promise<RawPrinter> {
  const sockets = new Set<Socket>();
  const slips: RawSlip[] = [];
  let behaviour: RawBehaviour = {};
  let connections = 0;
  let received = 0;

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    sockets.add(socket);
    connections++;
    received = 0;
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (behaviour.instead) behaviour.instead(socket);
    else serve(socket, behaviour);
  });

  function serve(socket: Socket, told: RawBehaviour): void {
    const { states = READY, confirmation = 0, respondsAfterMs = 0 } = told;
    const mechanism = makeMechanism(slips, (question, number) => {
      const reply = question === 'in-turn' ? confirmation : states?.[[1, 2, 4].indexOf(number)];
      if (states === null || reply === undefined || reply === null) return;
      setTimeout(() => socket.writable && socket.write(Uint8Array.of(reply)), respondsAfterMs);
    });
    const die = () => (told.dies === 'close' ? socket.destroy() : socket.resetAndDestroy());
    if (told.diesAfter === 0) return void die();
    const limit = Math.min(
      told.diesAfter ?? Number.POSITIVE_INFINITY,
      told.stallsAfter ?? Number.POSITIVE_INFINITY,
    );
    socket.on('data', (chunk) => {
      const taken = chunk.subarray(0, limit - received);
      received += taken.length;
      mechanism.take(taken);
      if (received === told.diesAfter) die();
      else if (received === told.stallsAfter) socket.pause();
    });
    socket.on('end', () => socket.end());
    socket.on('close', mechanism.stop);
    if (told.bytesPer10Ms === undefined) socket.resume();
    else readSlowly(socket, told.bytesPer10Ms);
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    address: `127.0.0.1:${actual}`,
    behave(told) {
      behaviour = told;
    },
    slips,
    connections: () => connections,
    received: () => received,
    isIdle: () => sockets.size === 0,
    async clear() {
      behaviour = {};
      for (const socket of sockets) socket.destroy();
      await until(() => sockets.size === 0, { everyMs: 1 });
      slips.length = 0;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function readSlowly(socket: Socket, bytes: number): void {
  // Emits `data` for each piece that is read.
  const timer = setInterval(() => socket.read(Math.min(bytes, socket.readableLength)), 10);
  socket.on('close', () => clearInterval(timer)).read(0);
}

/** Reads commands from a stream. Questions inside the data of a command are no questions. */
function makeMechanism(slips: RawSlip[], answer: (question: 'now' | 'in-turn', number: number) => void) {
  let rest = Buffer.alloc(0);
  let rows: Buffer[] = [];

  function cut(isWhole: boolean): void {
    if (rows.length > 0) slips.push({ isWhole, rows: Buffer.concat(rows) });
    rows = [];
  }

  /** The length of the first command, or undefined until enough of it has arrived. */
  function lengthOfFirst(): number | undefined {
    const [first, second] = rest;
    if (first === undefined || second === undefined) return undefined;
    const name = `${first.toString(16)} ${second.toString(16)}`;
    if (name === '1d 76')
      return rest.length < 8 ? undefined : 8 + rest.readUInt16LE(4) * rest.readUInt16LE(6);
    const length = { '10 4': 3, '1d 72': 3, '1b 40': 2, '1b 61': 3, '1b 64': 3, '1d 56': 4 }[name];
    if (length === undefined) throw new Error(`this printer does not know the command ${name}`);
    return length;
  }

  function obey(command: Buffer): void {
    const [first, second, third = 0] = command;
    if (first === 0x10) answer('now', third);
    else if (second === 0x72) answer('in-turn', third);
    else if (second === 0x76) rows.push(command.subarray(8));
    else if (second === 0x56 || second === 0x64) cut(true);
  }

  return {
    take(chunk: Buffer) {
      rest = Buffer.concat([rest, chunk]);
      for (
        let length = lengthOfFirst();
        length !== undefined && rest.length >= length;
        length = lengthOfFirst()
      ) {
        obey(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    },
    /** A real printer prints the rows that it has received. */
    stop() {
      if (rest[0] === 0x1d && rest[1] === 0x76 && rest.length > 8) rows.push(rest.subarray(8));
      cut(false);
    },
  };
}
