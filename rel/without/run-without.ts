// Takes out each feature in turn, with those that need it. The rest must type-check, and must serve the filled database
// of a complete installation.

import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loginToService } from '../../bench/login.ts';
import { callApi, makeFolder, runGastpass, startGastpass } from '../../tests/support/run-gastpass.ts';
import { copyTree, root } from '../mutants/copied-tree.ts';
import { listFeatures, takeOut, withDependents } from './take-out.ts';

const SHOWN = 12;
/** Nothing listens there: what is sent fails, and stays in the queue. */
const NOWHERE = '127.0.0.1:9';
const ENVIRONMENT = { SMTP_URL: `smtp://${NOWHERE}`, SMTP_TLS: 'off', MAIL_FROM: 'wifi@example.org' };

interface Filled {
  folder: string;
  key: string;
  email: string;
  password: string;
}

/** `only`: the feature to take out; empty for all features. */
export async function runWithout({ only }: { only: string }): Promise<boolean> {
  const filled = await fill();
  const features = listFeatures(root).filter((feature) => only === '' || feature === only);
  let hasFailed = features.length === 0;
  for (const feature of features) {
    const taken = withDependents(feature);
    const tree = copyTree();
    const users = takeOut(tree, taken);
    const problems = typeCheck(tree);
    if (problems.length === 0) problems.push(...(await use(tree, filled)));
    rmSync(tree, { recursive: true });
    hasFailed ||= problems.length > 0;
    const others = taken.slice(1).join(', ') || 'no other';
    console.log(
      `${feature}: ${problems.length === 0 ? 'ok' : `${problems.length} problems`}; with ${others}; ${users} tests`,
    );
    for (const problem of problems.slice(0, SHOWN)) console.log(`  ${problem}`);
  }
  rmSync(filled.folder, { recursive: true });
  return !hasFailed;
}

/** A demo installation in which each feature has something. */
async function fill(): Promise<Filled> {
  const { folder } = makeFolder();
  const options = { dataDir: folder, environment: ENVIRONMENT };
  const service = await startGastpass(options);
  const email = /\S+@\S+/.exec(service.stdout())?.[0] ?? '';
  const password = /[Pp]assword:? +(\S+)/.exec(service.stdout())?.[1] ?? '';
  const key = /gpk_\w+/.exec(service.stdout())?.[0] ?? '';
  const printer = ['--site', '1', '--name', 'Desk', '--kind', 'escpos', '--address', NOWHERE];
  for (const words of [
    ['webhooks', 'add', '--url', `http://${NOWHERE}/hook`, '--format', 'generic'],
    ['printers', 'add', ...printer],
    ['screens', 'add', '--site', '1', '--name', 'Lobby', '--kind', 'rolling'],
    ['sites', 'set', '1', '--requests', 'on', '--reserve', '3', '--guest-page', 'on'],
    ['vouchers', 'create', '--site', '1', '--name', 'Anna', '--print', '1', '--email', 'anna@example.org'],
    ['sync'],
  ]) {
    const { code, stderr } = await runGastpass(words, options);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  }
  await service.stop();
  return { folder, key, email, password };
}

function typeCheck(tree: string): string[] {
  const { stdout } = spawnSync(process.execPath, [join(tree, 'node_modules/typescript/bin/tsc')], {
    cwd: tree,
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => /error TS\d+/.test(line));
}

/** Creates and lists a voucher, shows pages, and runs commands, on a copy of the filled data folder. */
async function use(release: string, { folder, key, email, password }: Filled): Promise<string[]> {
  const { folder: dataDir, remove } = makeFolder();
  cpSync(folder, dataDir, { recursive: true });
  const options = { dataDir, environment: ENVIRONMENT, release };
  const problems: string[] = [];
  const expect = (what: string, isRight: boolean, found: unknown) => {
    if (!isRight) problems.push(`${what}: ${found}`);
  };
  try {
    const service = await startGastpass(options);
    const { status, json } = await callApi(service, { key, body: { site_id: 1, name: 'Ben' } });
    expect('create', status === 201, status);
    const list = await callApi(service, { key, path: 'vouchers.php?site_id=1' });
    expect('list', JSON.stringify(list.json).includes(json.code), JSON.stringify(list.json));
    const cookie = await loginToService(service.url, { email, password });
    for (const path of [
      '/',
      '/vouchers',
      '/batches',
      '/overview',
      '/sites',
      '/sites/1',
      '/users',
      '/settings',
      '/audit',
      '/health',
    ]) {
      const page = await fetch(`${service.url}${path}`, { headers: { cookie }, redirect: 'manual' });
      expect(path, page.status === 200, page.status);
      if (path === '/vouchers') expect('voucher on its page', (await page.text()).includes('Ben'), 'missing');
    }
    for (const words of [['--help'], ['sync'], ['vouchers', 'list', '--json'], ['verify'], ['doctor']]) {
      const { code, stderr } = await runGastpass(words, options);
      const isReport = words[0] === 'doctor' || words[0] === 'verify';
      expect(words.join(' '), code === 0 || (isReport && code === 1), stderr);
    }
    const { code, stderr } = await service.stop();
    expect('stop', code === 0, stderr);
  } catch (error) {
    problems.push(String(error));
  } finally {
    remove();
  }
  return problems;
}
