// Runs a real Prometheus on the service: every query of the dashboard returns data, every alert rule names metrics that
// exist, and the alerts fire when they should.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../support/postgres-server.ts';
import {
  callApi,
  makeFolder,
  type RunningGastpass,
  runGastpass,
  startGastpass,
} from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';

const ALERTS = fileURLToPath(new URL('../../deploy/monitoring/alerts.yml', import.meta.url));
const DASHBOARD = new URL('../../deploy/monitoring/grafana-dashboard.json', import.meta.url);

interface Panel {
  title: string;
  targets: { expr: string }[];
}

const { folder: dataDir, remove } = makeFolder();
let service: RunningGastpass;
let prometheus: ChildProcess;
let address: string;
before(async () => {
  service = await startGastpass({ dataDir, environment: { BACKUP_DIR: join(dataDir, 'backups') } });
  const webhook = ['webhooks', 'add', '--url', 'http://127.0.0.1:65000/', '--format', 'generic'];
  const broken = [
    'sites',
    'add',
    '--name',
    'Kaputt',
    '--controller',
    'simulator',
    '--site',
    'fail:refuse',
    '--untested',
  ];
  const printer = [
    'printers',
    'add',
    '--site',
    '1',
    '--name',
    'A',
    '--kind',
    'escpos',
    '--address',
    '127.0.0.1',
  ];
  const reserve = ['sites', 'set', '1', '--reserve', '1'];
  for (const words of [webhook, printer, reserve, ['sync'], broken]) {
    const { code, stderr } = await runGastpass(words, { dataDir });
    assert.equal(code, 0, stderr);
  }
  const key = /gpk_\w+/.exec(service.stdout())?.[0] ?? '';
  await use(key);
  address = await startPrometheus(new URL(service.url).host);
  // A rate needs two scrapes with requests between them.
  await untilData('gastpass_build_info');
  await use(key);
});
after(async () => {
  prometheus.kill();
  await service.stop();
  remove();
});

/** Creates at least one sample of every metric. */
async function use(key: string): Promise<void> {
  assert.equal((await callApi(service, { key, body: { site_id: 1, name: 'Zimmer 12' } })).status, 201);
  assert.equal((await callApi(service, { key: 'wrong' })).status, 401);
  assert.equal((await callApi(service, { key, body: { site_id: 2, name: 'Zimmer 13' } })).status, 500);
  const page = await fetch(`${service.url}/login`);
  const form = new URLSearchParams({ email: 'nobody@example.org', password: 'wrong' });
  for (const [, name = '', value = ''] of (await page.text()).matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  ))
    form.set(name, value);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const login = await fetch(`${service.url}/login`, {
    method: 'POST',
    body: form,
    headers: { cookie, origin: service.url },
    redirect: 'manual',
  });
  assert.equal(login.status, 401);
}

async function startPrometheus(target: string): Promise<string> {
  const port = await findFreePort();
  const file = join(dataDir, 'prometheus.yml');
  writeFileSync(
    file,
    `{ "global": { "scrape_interval": "1s", "evaluation_interval": "1s" }, "rule_files": ["${ALERTS}"],
       "scrape_configs": [{ "job_name": "gastpass", "static_configs": [{ "targets": ["${target}"] }] }] }`,
  );
  const options = [`--config.file=${file}`, `--storage.tsdb.path=${join(dataDir, 'tsdb')}`];
  prometheus = spawn('prometheus', [...options, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  process.once('exit', () => prometheus.kill());
  await once(prometheus, 'spawn');
  return `http://127.0.0.1:${port}`;
}

async function query(expression: string): Promise<unknown[]> {
  const reply = await fetch(`${address}/api/v1/query?${new URLSearchParams({ query: expression })}`);
  const { status, data, error } = JSON.parse(await reply.text());
  assert.equal(status, 'success', `${expression}: ${error}`);
  return data.result;
}

async function untilData(expression: string): Promise<void> {
  const hasData = async () => (await query(expression).catch(() => [])).length > 0;
  await until(hasData, { otherwise: `no data for ${expression}`, everyMs: 200 });
}

test('every query of the dashboard returns data', async () => {
  const { panels }: { panels: Panel[] } = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  assert.ok(panels.length > 10);
  for (const { targets } of panels)
    for (const { expr } of targets) await untilData(expr.replaceAll('$__rate_interval', '1m'));
});

test('every metric of the alert rules exists', async () => {
  const names = new Set(readFileSync(ALERTS, 'utf8').match(/\b(gastpass|up)(_\w+)?(?=[{[) ])/g));
  const metrics = [...names].filter((name) => name !== 'gastpass');
  assert.ok(metrics.length > 8, metrics.join());
  for (const name of metrics) await untilData(name);
});

test('the alerts fire when they should, and not before', () => {
  const cases = fileURLToPath(new URL('monitoring-cases.yml', import.meta.url));
  const text = readFileSync(cases, 'utf8');
  for (const [, name] of readFileSync(ALERTS, 'utf8').matchAll(/- alert: (\w+)/g))
    for (const expected of [`alertname: ${name}, exp_alerts: [] }`, `alertname="${name}"}', value: 1 }`])
      assert.ok(text.includes(expected), expected);
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', cases], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
