// The worker thread of postgres-now: keeps one connection per database and wakes the calling thread when a result is
// there.

import { type MessagePort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { CallResponse, Question } from './postgres-now.ts';

const { port, bell }: { port: MessagePort; bell: Int32Array } = workerData;

/** While a test waits here for a lock, the service in the other thread is blocked and cannot end its transaction. */
const LOCK_TIMEOUT_MS = 500;
const WHOLE_NUMBERS = [20, 1700];

const clients = new Map<string, pg.Client>();

async function clientOf(url: string): Promise<pg.Client> {
  const known = clients.get(url);
  if (known) return known;
  const client = new pg.Client({
    connectionString: url,
    lock_timeout: LOCK_TIMEOUT_MS,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        WHOLE_NUMBERS.includes(oid) ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // The server may stop, or the database may be dropped, at any time. The next query then opens a new connection.
  client.on('error', () => clients.delete(url));
  await client.connect();
  clients.set(url, client);
  return client;
}

async function respond({ url, sql, values = [] }: Question): Promise<CallResponse> {
  try {
    if (sql === undefined) {
      await clients.get(url)?.end();
      clients.delete(url);
      return { rows: [] };
    }
    const client = await clientOf(url);
    const result = await (values.length > 0 ? client.query(sql, values) : client.query(sql));
    return { rows: Array.isArray(result) ? [] : result.rows };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

port.on('message', async (question: Question) => {
  port.postMessage(await respond(question));
  Atomics.store(bell, 0, 1);
  Atomics.notify(bell, 0);
});
