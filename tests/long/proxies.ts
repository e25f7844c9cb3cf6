// Starts nginx, HAProxy and Caddy with the files of deploy/ and the blocks of docs/scaling.md, in front of one or two
// instances on this machine.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeSelfSigned } from '../../packages/unifi-console/src/self-signed.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

export const HOST = 'wifi.example.org';

const readProject = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
export const deployed = (name: string) => readProject(`deploy/${name}`);

interface Ports {
  plain: number;
  tls: number;
}
/** The addresses of the instances behind the proxy. */
export type Instances = [string] | [string, string];
interface Place {
  ports: Ports;
  inFolder(name: string): string;
}

export interface Reply {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

export async function ask(
  request: typeof tlsRequest,
  { body, headers, ...options }: RequestOptions & { body?: string },
): Promise<Reply> {
  const to = { host: '127.0.0.1', servername: HOST, headers: { host: HOST, ...headers } };
  const sent = request({ ...to, rejectUnauthorized: false, ...options });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** The block that docs/scaling.md prints for two instances. */
function blockForTwo(language: string, [one, two]: Instances): string {
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(
    readProject('docs/scaling.md'),
  )?.[1];
  assert.ok(block && two);
  return block.replaceAll('10.0.0.11:8080', one).replaceAll('10.0.0.12:8080', two);
}

/** Each writes the configuration of a proxy and returns the command that starts it. */
const commands = {
  nginx({ ports, inFolder }: Place, instances: Instances): string[] {
    const file = deployed('nginx.conf');
    const [one, two] = instances;
    const site = (two ? file.replace(/^upstream [^}]*\}\n/m, blockForTwo('nginx', instances)) : file)
      .replaceAll('/etc/ssl/wifi.example.org.', inFolder('cert.'))
      .replace('127.0.0.1:8080', one)
      .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${ports.plain};`)
      .replaceAll(/listen (\[::\]:)?443 /g, `listen $1${ports.tls} `);
    writeFileSync(inFolder('site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${inFolder(kind)};`,
    );
    const main = `pid ${inFolder('nginx.pid')}; events {} http { access_log ${inFolder('access.log')}; ${temporary.join(' ')} include site.conf; }`;
    writeFileSync(inFolder('nginx.conf'), main);
    return ['nginx', '-p', inFolder(''), '-c', inFolder('nginx.conf'), '-e', 'stderr', '-g', 'daemon off;'];
  },

  HAProxy({ ports, inFolder }: Place, instances: Instances): string[] {
    const file = deployed('haproxy-web.cfg');
    const [one, two] = instances;
    const site = (two ? file.replace(/^backend [\s\S]*/m, blockForTwo('haproxy', instances)) : file)
      .replace('/etc/ssl/wifi.example.org.pem', inFolder('both.pem'))
      .replace('127.0.0.1:8080', one)
      .replace('bind :::80 ', `bind :::${ports.plain} `)
      .replace('bind :::443 ', `bind :::${ports.tls} `);
    writeFileSync(inFolder('haproxy.cfg'), site);
    return ['haproxy', '-db', '-f', inFolder('haproxy.cfg')];
  },

  Caddy({ ports, inFolder }: Place, instances: Instances): string[] {
    const [one, two] = instances;
    const line = 'reverse_proxy 127.0.0.1:8080';
    const site = deployed('Caddyfile')
      .replace(`\n${HOST} {`, `\n${HOST} {\n\ttls internal`)
      .replace(line, two ? blockForTwo('caddy', instances) : `reverse_proxy ${one}`);
    writeFileSync(
      inFolder('Caddyfile'),
      `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${ports.plain}\n\thttps_port ${ports.tls}\n}\n${site}`,
    );
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', inFolder('Caddyfile')];
  },
};
export type ProxyName = keyof typeof commands;
export const PROXIES: ProxyName[] = ['nginx', 'HAProxy', 'Caddy'];

export interface RunningProxy {
  ports: Ports;
  get(path: string): Promise<Reply>;
  log(): string;
  stop(): Promise<void>;
}

/** Writes its files into a folder below `parent`, and waits until the proxy serves a page. */
export async function startProxy(
  name: ProxyName,
  instances: Instances,
  parent: string,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(parent, 'proxy-'));
  const inFolder = (name: string) => join(folder, name);
  const { certificatePem, privateKeyPem } = makeSelfSigned(Date.now());
  writeFileSync(inFolder('cert.pem'), certificatePem);
  writeFileSync(inFolder('cert.key'), privateKeyPem);
  writeFileSync(inFolder('both.pem'), `${certificatePem}\n${privateKeyPem}`);
  const ports = { plain: await findFreePort(), tls: await findFreePort() };
  const [program = '', ...words] = commands[name]({ ports, inFolder }, instances);
  const proxy = spawn(program, words, {
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.once('exit', () => proxy.kill());
  let errors = '';
  proxy.stderr?.setEncoding('utf8').on('data', (said: string) => {
    errors += said;
  });
  await untilServing(ports, proxy, () => `${program}: ${errors}`);
  const accessLog = inFolder('access.log');
  return {
    ports,
    get: (path) => ask(tlsRequest, { port: ports.tls, path }),
    log: () => errors + (existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : ''),
    async stop() {
      proxy.kill();
      if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, 'exit');
    },
  };
}

/** Waits until the proxy answers for a service that it takes for ready. */
async function untilServing({ tls }: Ports, proxy: ChildProcess, output: () => string): Promise<void> {
  await until(
    async () => {
      const reply = await ask(tlsRequest, { port: tls, path: '/login' }).catch(() => undefined);
      assert.equal(proxy.exitCode, null, output());
      return reply?.status === 200;
    },
    { otherwise: output, everyMs: 100 },
  );
}
