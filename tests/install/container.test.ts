// Tests the container image: its size, and that it runs without root, rights and a writable root file system, says
// whether it is healthy, finishes its requests when it is stopped, and keeps its data in the volume.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeFolder } from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';
import { takeFirstSteps } from './first-steps.ts';
import { inDist, PATH, run, version } from './packed.ts';

const MAX_BYTES = 70_000_000;
const MAX_STOP_MS = 30_000;
const image = `localhost/gastpass:${version}`;
const archive = inDist(`gastpass-${version}-container-${process.arch}.tar.gz`);

const { folder, remove } = makeFolder();
const here = { cwd: folder, env: { PATH, HOME: folder } };
/** The images and containers of the test are kept apart from those of the machine. */
const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--runtime=runc'];
const callPodman = (...words: string[]) => run(['podman', ...storage, ...words], here);
function podman(...words: string[]): string {
  const { status, stdout, stderr } = callPodman(...words);
  assert.equal(status, 0, `podman ${words.join(' ')}: ${stderr}`);
  return stdout.trim();
}
after(() => {
  callPodman('rm', '--all', '--force');
  callPodman('volume', 'rm', '--all');
  callPodman('rmi', '--all', '--force');
  remove();
});

const startedAtMs = performance.now();
before(() => {
  assert.ok(existsSync(archive), 'there is no image yet: run "npm run package:container"');
  assert.ok(statSync(archive).size <= MAX_BYTES, `${statSync(archive).size} bytes`);
  // Podman of Debian 12 loads no compressed archives.
  const load = `gunzip --stdout ${archive} | podman ${storage.join(' ')} load`;
  const { status, stderr } = run(['sh', '-c', load], here);
  assert.equal(status, 0, stderr);
});

test('the first voucher, a page, the explorer of the API and a PDF work, without root and with a read-only root', async (t) => {
  const { name, url } = await startContainer();
  const logs = podman('logs', name);
  const [, password = '', key = ''] = /Password +(\S+)[\s\S]*API key +(\S+)/.exec(logs) ?? [];
  await takeFirstSteps({ url, key, email: 'admin@localhost', password });
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  t.diagnostic(`loaded and used in ${seconds} s, ${(statSync(archive).size / 1e6).toFixed(1)} MB compressed`);

  const inside = (script: string) => podman('exec', name, 'node', '--print', script);
  assert.equal(
    inside('[process.getuid(), process.getgid(), process.getgroups()].join()'),
    '10001,10001,10001',
  );
  assert.match(inside('fs.readFileSync("/proc/1/status", "utf8")'), /CapEff:\t0+\nCapBnd:\t0+\n/);
  assert.equal(inside('try { fs.writeFileSync("/tmp-file", "") } catch (error) { error.code }'), 'EROFS');
  assert.equal(inside('["/bin/sh", "/usr/bin/sh"].some((path) => fs.existsSync(path))'), 'false');
  assert.equal(
    inside('new Date(0).toLocaleString("de", { timeZone: "Europe/Berlin" })'),
    '1.1.1970, 01:00:00',
  );
  assert.equal(podman('exec', name, 'gastpass', 'version'), version);
  assert.doesNotMatch(podman('exec', name, 'gastpass', 'doctor'), /Other users/);
  assert.match(
    callPodman('exec', name, 'node', '--eval', 'require("dns").lookup("missing.invalid", console.log)')
      .stdout,
    /ENOTFOUND|EAI_AGAIN/,
  );

  podman('healthcheck', 'run', name);
  const away = ['--env', 'PORT=1', name, 'node', '/usr/lib/gastpass/bin/check-health.js'];
  assert.equal(callPodman('exec', ...away).status, 1);

  // The second half of an order arrives while the container is being stopped.
  const body = JSON.stringify({ site_id: 1, name: 'Zimmer 14' });
  const order = request(`${url}/api/vouchers.php`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-length': body.length },
  });
  const responded = once(order, 'response');
  order.write(body.slice(0, 5));
  await sleep(500);
  const stopStartedAtMs = performance.now();
  const stopped = promisify(execFile)('podman', [...storage, 'stop', '--time=30', name], here);
  await sleep(1000);
  order.end(body.slice(5));
  const [response] = await responded;
  assert.equal(response.statusCode, 201);
  const { code } = JSON.parse(await text(response));
  await stopped;
  assert.ok(performance.now() - stopStartedAtMs < MAX_STOP_MS);
  assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', name), '0');
  podman('rm', name);

  const next = await startContainer();
  const list = await fetch(`${next.url}/api/vouchers.php?site_id=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.ok((await list.text()).includes(code), 'a new container has the vouchers of the old one');
  podman('stop', '--time=30', next.name);
});

let count = 0;

/** Starts a container on the volume of the test, and waits until it is ready. Some machines forbid to raise limits. */
async function startContainer(): Promise<{ name: string; url: string }> {
  count += 1;
  const name = `gastpass-test-${process.pid}-${count}`;
  const limits = ['--ulimit=nofile=20000:20000', '--ulimit=nproc=4096:4096'];
  const rights = [
    '--read-only',
    '--read-only-tmpfs=false',
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
  ];
  const places = ['--publish=127.0.0.1::8080', '--volume=gastpass-test:/var/lib/gastpass'];
  podman('run', '--detach', '--name', name, ...limits, ...rights, ...places, image);
  const url = `http://${podman('port', name, '8080/tcp')}`;
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok, { everyMs: 100 });
  return { name, url };
}
