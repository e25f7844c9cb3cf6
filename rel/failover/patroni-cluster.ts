// Two PostgreSQL servers under Patroni with a synchronous standby, etcd, and HAProxy with the settings of deploy/: the
// primary can be killed, and HAProxy's address then leads to the standby. Uses Debian's packages.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askServer } from '../../tests/support/postgres.ts';
import { findBinaries, findFreePort, NOBODY } from '../../tests/support/postgres-server.ts';

const HAPROXY_CFG = new URL('../../deploy/haproxy.cfg', import.meta.url);
const PATIENCE_MS = 120_000;
const PAUSE_MS = 200;

/** Patroni's own times are 30, 10 and 10 s. Shorter times make the run shorter; nothing else depends on them. */
export const PATRONI_TIMES = { ttl: 10, loop_wait: 1, retry_timeout: 3 };

export interface PatroniCluster {
  /** The maintenance database of the primary, through HAProxy. */
  url: string;
  /** Kills the primary as a power cut would: Patroni and every process of PostgreSQL. Returns its name. */
  killPrimary(): Promise<string>;
  /** Stops the standby from receiving anything. The returned function drops what is under way to it, too. */
  stallStandby(): Promise<() => void>;
  /** Waits until another server is the primary. */
  untilPromoted(killed: string): Promise<void>;
  /** Starts a killed server again, and waits until it is the standby. */
  revive(name: string): Promise<void>;
  stop(): Promise<void>;
}

interface Member {
  name: string;
  port: number;
  restPort: number;
  dataDir: string;
  configFile: string;
  patroni: ChildProcess | undefined;
}

export async function startPatroniCluster({ isSynchronous = true } = {}): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-failover-'));
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (asNobody.uid) chownSync(folder, NOBODY, NOBODY);
  const running = new Set<ChildProcess>();

  function run(name: string, command: string, words: string[]): ChildProcess {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const env = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, LC_ALL: 'C.UTF-8' };
    const child = spawn(command, words, { ...asNobody, cwd: folder, env, stdio: ['ignore', log, log] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  }

  const members: Member[] = [];
  const end = () => {
    for (const child of running) child.kill('SIGKILL');
    for (const member of members) killServer(member);
    rmSync(folder, { recursive: true, force: true, maxRetries: 50 });
  };
  process.once('exit', end);

  const etcdPort = await startEtcd(run);
  for (const name of ['one', 'two']) members.push(await makeMember(name));
  const launch = (member: Member) => {
    member.patroni = run(member.name, 'patroni', [member.configFile]);
  };

  async function makeMember(name: string): Promise<Member> {
    const [port, restPort] = [await findFreePort(), await findFreePort()];
    const home = join(folder, name);
    mkdirSync(home);
    if (asNobody.uid) chownSync(home, NOBODY, NOBODY);
    const member = {
      name,
      port,
      restPort,
      dataDir: join(home, 'data'),
      configFile: join(folder, `${name}.yml`),
    };
    writeFileSync(
      member.configFile,
      JSON.stringify(patroniSettings({ ...member, home, etcdPort, isSynchronous })),
    );
    return { ...member, patroni: undefined };
  }

  for (const member of members) {
    launch(member);
    // The first one becomes the primary.
    await until(`Patroni ${member.name} runs`, async () =>
      (await membersThat(members, 'health')).includes(member),
    );
  }
  if (isSynchronous)
    await until('there is a standby', async () => (await membersThat(members, 'sync')).length === 1);
  else await until('there is a standby', async () => (await membersThat(members, 'replica')).length === 1);
  const proxyPort = await findFreePort();
  const proxyFile = join(folder, 'haproxy.cfg');
  writeFileSync(proxyFile, proxySettings(proxyPort, members));
  run('haproxy', 'haproxy', ['-db', '-f', proxyFile]);
  const url = `postgres://gastpass@127.0.0.1:${proxyPort}/postgres`;
  // HAProxy takes a server for good until its first checks, and sends connections to each in turn.
  let inTurn = 0;
  await until('HAProxy leads to the primary', async () => {
    const [row] = await askServer(url, 'select pg_is_in_recovery() as "isStandby"');
    inTurn = row?.isStandby === false ? inTurn + 1 : 0;
    return inTurn === 2 * members.length;
  });

  return {
    url,
    async killPrimary() {
      const [primary] = await membersThat(members, 'primary');
      if (!primary) throw new Error('there is no primary');
      primary.patroni?.kill('SIGKILL');
      killServer(primary);
      return primary.name;
    },
    async stallStandby() {
      const [standby] = await membersThat(members, 'replica');
      const receiver =
        standby &&
        childrenOf(pidOf(standby)).find((pid) => read(`/proc/${pid}/cmdline`).includes('walreceiver'));
      if (!receiver) throw new Error('there is no standby that receives');
      process.kill(receiver, 'SIGSTOP');
      // The system keeps received bytes for the process, so only its end drops them. The standby then restarts.
      return () => process.kill(receiver, 'SIGKILL');
    },
    untilPromoted: (killed) =>
      until('the standby is promoted', async () =>
        (await membersThat(members, 'primary')).some(({ name }) => name !== killed),
      ),
    async revive(name) {
      const member = members.find((candidate) => candidate.name === name);
      if (!member) throw new Error(`there is no server ${name}`);
      launch(member);
      const path = isSynchronous ? 'sync' : 'replica';
      await until('the standby is back', async () => (await membersThat(members, path)).includes(member));
    },
    async stop() {
      process.off('exit', end);
      end();
    },
  };
}

type Run = (name: string, command: string, words: string[]) => ChildProcess;

async function startEtcd(run: Run): Promise<number> {
  const [clientPort, peerPort] = [await findFreePort(), await findFreePort()];
  const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
  const options = {
    'data-dir': 'etcd',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  };
  run(
    'etcd',
    'etcd',
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  );
  await until('etcd runs', async () => (await fetch(`${client}/health`)).ok);
  return clientPort;
}

/** JSON is YAML too. */
function patroniSettings(member: {
  name: string;
  port: number;
  restPort: number;
  dataDir: string;
  home: string;
  etcdPort: number;
  isSynchronous: boolean;
}) {
  const { name, port, restPort, dataDir, home, etcdPort, isSynchronous } = member;
  const [database, rest] = [`127.0.0.1:${port}`, `127.0.0.1:${restPort}`];
  return {
    scope: 'gastpass',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...PATRONI_TIMES,
        synchronous_mode: isSynchronous,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, shared_buffers: '64MB', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, 'no-locale'],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: database,
      connect_address: database,
      data_dir: dataDir,
      bin_dir: findBinaries(),
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'gastpass', password: 'unused' },
        replication: { username: 'replicator', password: 'unused' },
      },
      parameters: { unix_socket_directories: home },
    },
  };
}

/** The settings of deploy/haproxy.cfg, with the addresses of this machine. */
function proxySettings(port: number, members: Member[]): string {
  const servers = members
    .map(({ name, port, restPort }) => `    server ${name} 127.0.0.1:${port} check port ${restPort}\n`)
    .join('');
  return readFileSync(HAPROXY_CFG, 'utf8')
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replace(/(^ +server .*\n)+/m, servers);
}

/** Members whose Patroni answers 200 for this path. */
async function membersThat(
  members: Member[],
  path: 'primary' | 'replica' | 'sync' | 'health',
): Promise<Member[]> {
  const responses = await Promise.all(
    members.map(({ restPort }) =>
      fetch(`http://127.0.0.1:${restPort}/${path}`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      ),
    ),
  );
  return members.filter((_, index) => responses[index]?.ok);
}

/** Kills the server's first process before its children, because it would start new ones. */
function killServer(member: Member): void {
  const pid = pidOf(member);
  if (pid === undefined) return;
  for (const each of [pid, ...childrenOf(pid)])
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
}

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function pidOf({ dataDir }: Member): number | undefined {
  const pid = Number(read(join(dataDir, 'postmaster.pid')).split('\n')[0]);
  // The file can be left over, and its number belong to another process by now.
  return read(`/proc/${pid}/cmdline`).includes(dataDir) ? pid : undefined;
}

function childrenOf(pid: number | undefined): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain until ${what}`);
    await sleep(PAUSE_MS);
  }
}
