// Starts Debian's PgBouncer in transaction mode with its default settings, in front of a PostgreSQL server for tests.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, NOBODY } from './postgres-server.ts';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

export interface Pgbouncer {
  /** The same database, reached through PgBouncer. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** `serverUrl` is the URL of any database of the server. */
export async function startPgbouncer(serverUrl: string): Promise<Pgbouncer> {
  const { hostname, port: serverPort, username } = new URL(serverUrl);
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-pgbouncer-'));
  const [settings, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  writeFileSync(users, `"${username}" ""\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
`,
  );
  // Like PostgreSQL, PgBouncer refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (asNobody.uid) for (const path of [folder, settings, users]) chownSync(path, NOBODY, NOBODY);
  const child = spawn('pgbouncer', ['--quiet', settings], { ...asNobody, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  await untilListening(port);

  return {
    through(url) {
      const through = new URL(url);
      through.host = `127.0.0.1:${port}`;
      return through.href;
    },
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilListening(port: number): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(PAUSE_MS);
    } finally {
      socket.destroy();
    }
  }
}
