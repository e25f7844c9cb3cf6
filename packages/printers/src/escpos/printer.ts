// A printer that takes ESC/POS on a TCP port. It serves one connection after the other, as receipt printers do.

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeMechanism, PowerLost, type PrinterOptions, type SimulatedPrinter } from '../mechanism.ts';
import { interpret } from './interpreter.ts';
import { makeStatusWatch, statusByte } from './status.ts';

/** So many bytes wait to be printed, at most; then the printer stops reading until some were printed. */
const BUFFER_BYTES = 4096;
/** A slow printer takes its bytes in portions, so many a second. */
const PORTIONS_PER_SECOND = 20;

export interface EscPosOptions extends PrinterOptions {
  /** A free port unless set. */
  port?: number;
  /** 127.0.0.1 unless set. */
  host?: string;
}

export interface EscPosPrinter extends SimulatedPrinter {
  port: number;
}

/** Bytes that wait to be printed, or the end of their connection. */
interface Received {
  socket: Socket;
  bytes: Uint8Array | 'end';
}

export async function startEscPosPrinter(options: EscPosOptions = {}): Promise<EscPosPrinter> {
  const mechanism = makeMechanism('escpos', options);
  const { faults, report } = mechanism;
  const sockets = new Set<Socket>();
  const hung = new Set<Socket>();
  const buffer: Received[] = [];
  let isStopped = false;
  let wake = () => {};
  faults.onChange(() => {
    if (!faults.has('hangs')) for (const socket of hung) socket.destroy();
    wake();
  });

  // Connections beyond the first wait in this chain until it is their turn.
  let turn: Promise<void> = Promise.resolve();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    socket.on('error', () => {}); // The connection closes, which is handled below.
    if (faults.has('offline')) return void socket.resetAndDestroy();
    const open = faults.has('hangs') ? hung : sockets;
    if (open === sockets && open.size > 0) report('a second connection waits');
    open.add(socket);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.once('close', () => open.delete(socket));
    if (open === hung) return;
    turn = turn.then(() => {
      listen(socket);
      return closed;
    });
  });

  function listen(socket: Socket): void {
    let taken = 0;
    const watch = makeStatusWatch((type) => {
      if (!faults.has('silent')) respond(socket, statusByte(mechanism, type));
    });
    socket.on('data', (bytes: Buffer) => {
      const alive = bytes.subarray(0, faults.number('dies-after-bytes') - taken);
      taken += alive.length;
      if (taken >= faults.number('dies-after-bytes')) return losePowerAfter(socket, alive);
      for (const byte of alive) watch(byte);
      receive({ socket, bytes: alive });
    });
    // The bytes that arrived are printed even if the sender is gone.
    socket.once('end', () => {
      receive({ socket, bytes: 'end' });
      // Without paper, the end is not reached. The next sender must not wait for it.
      if (!mechanism.canPrint()) socket.end();
    });
    socket.once('close', (hadError) => hadError && receive({ socket, bytes: 'end' }));
    socket.resume();
  }

  function receive(received: Received): void {
    buffer.push(received);
    const waiting = buffer.reduce((sum, { bytes }) => sum + (bytes === 'end' ? 0 : bytes.length), 0);
    if (waiting >= BUFFER_BYTES) received.socket.pause();
    wake();
  }

  function respond(socket: Socket, byte: number): void {
    if (socket.writable) socket.write(Uint8Array.of(byte));
  }

  let current: Socket | undefined;
  let reader = startReader();
  function startReader() {
    const started = interpret(mechanism, (byte) => {
      if (current && !faults.has('silent')) respond(current, byte);
    });
    started.next();
    return started;
  }

  /** Everything in the buffer is lost, all connections break, and half a slip hangs out. */
  function losePower(): void {
    report('power lost');
    buffer.length = 0;
    reader = startReader();
    mechanism.eject('power-lost');
    for (const socket of sockets) socket.resetAndDestroy();
  }

  /** Prints the last bytes at once, so that the slip ends exactly there. */
  function losePowerAfter(socket: Socket, bytes: Uint8Array): void {
    const waiting = [...buffer, { socket, bytes }];
    buffer.length = 0;
    try {
      for (const { bytes } of waiting) if (bytes !== 'end') for (const byte of bytes) step(byte);
    } catch (error) {
      if (!(error instanceof PowerLost)) throw error;
    }
    losePower();
  }

  function step(byte: number): void {
    if (mechanism.canPrint()) reader.next(byte);
  }

  async function print(): Promise<void> {
    while (!isStopped) {
      const received = mechanism.canPrint() ? buffer.shift() : undefined;
      if (!received) await new Promise<void>((resolve) => (wake = resolve));
      else if (received.bytes === 'end') endConnection(received.socket);
      else await printBytes(received.socket, received.bytes);
    }
  }

  async function printBytes(socket: Socket, bytes: Uint8Array): Promise<void> {
    current = socket;
    const portion = Math.ceil(Math.min(faults.number('slow') / PORTIONS_PER_SECOND, bytes.length));
    for (const [index, byte] of bytes.subarray(0, portion).entries()) {
      // The rest stays in the buffer until there is paper again.
      if (!mechanism.canPrint()) return void buffer.unshift({ socket, bytes: bytes.subarray(index) });
      reader.next(byte);
    }
    if (portion < bytes.length) {
      buffer.unshift({ socket, bytes: bytes.subarray(portion) });
      await sleep(1000 / PORTIONS_PER_SECOND);
    }
    socket.resume();
  }

  function endConnection(socket: Socket): void {
    mechanism.eject('uncut');
    reader = startReader();
    socket.end();
  }

  /** Goes on after a loss of power: the printer is switched on again. */
  async function run(): Promise<void> {
    while (!isStopped) {
      try {
        await print();
      } catch (error) {
        if (!(error instanceof PowerLost)) throw error;
        losePower();
      }
    }
  }

  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const running = run();
  const address = server.address();

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    slips: mechanism.slips,
    events: mechanism.events,
    setFault: (name, value = true) => faults.set(name, value),
    async stop() {
      isStopped = true;
      wake();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of [...sockets, ...hung]) socket.destroy();
      await Promise.all([closed, running]);
    },
  };
}
