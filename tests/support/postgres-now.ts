// Queries PostgreSQL synchronously, as tests query an SQLite file. The connection belongs to a worker thread. The
// calling thread, and with it the service under test, is blocked until the result is there.

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

const PATIENCE_MS = 30_000;

export type Row = Record<string, unknown>;
/** Without `sql`, the connection is closed. */
export type Question = { url: string; sql?: string; values?: unknown[] };
export type CallResponse = { rows: Row[] } | { error: string };

let thread: ReturnType<typeof startThread> | undefined;

function startThread() {
  const { port1, port2 } = new MessageChannel();
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./postgres-now-thread.ts', import.meta.url), {
    workerData: { port: port2, bell },
    transferList: [port2],
  });
  worker.unref();
  return { port: port1, bell };
}

export function askNow(question: Question): Row[] {
  thread ??= startThread();
  const { port, bell } = thread;
  Atomics.store(bell, 0, 0);
  port.postMessage(question);
  // The wake-up for the previous question may arrive only now, so the value decides whether there is an answer.
  const untilMs = Date.now() + PATIENCE_MS;
  while (Atomics.load(bell, 0) === 0 && Date.now() < untilMs) Atomics.wait(bell, 0, 0, untilMs - Date.now());
  const response: CallResponse | undefined = receiveMessageOnPort(port)?.message;
  if (!response) throw new Error(`PostgreSQL did not answer: ${question.sql}`);
  if ('error' in response) throw new Error(response.error);
  return response.rows;
}
