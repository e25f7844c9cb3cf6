// Tools of others read the OpenAPI document of the second API: two linters have nothing to say about it, and the
// clients that two generators make from it compile and work.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolder } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

const PACKAGES = fileURLToPath(new URL('node_modules', import.meta.url));
const PATIENCE_MS = 120_000;

const { folder, remove } = makeFolder();
let service: TestService;
before(async () => {
  service = await startTestService();
  const { text } = await service.call('GET', '/api/v1/openapi.json', { key: null });
  write('openapi.json', text);
  write('spectral.json', JSON.stringify({ extends: ['spectral:oas'] }));
  write('package.json', JSON.stringify({ type: 'module' }));
  write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
});
after(async () => {
  await service.stop();
  remove();
});

const COMPILER_OPTIONS = {
  strict: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
  outDir: 'out',
};

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** Runs a program to its end and returns what it prints. The service runs in this process, so this must not block. */
async function run(program: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], {
    cwd: folder,
    timeout: PATIENCE_MS,
    env: { NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  return stdout;
}

test('redocly lint finds nothing with its recommended rules', async () => {
  const found = JSON.parse(
    await run('node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--format=json'),
  );
  assert.deepEqual(found.problems, []);
});

test('spectral finds nothing with its rules for OpenAPI', async () => {
  const spectral = 'node_modules/@stoplight/spectral-cli/dist/index.js';
  const options = ['--ruleset', 'spectral.json', '--fail-severity', 'hint', '--format', 'json', '--quiet'];
  assert.deepEqual(JSON.parse(await run(spectral, 'lint', 'openapi.json', ...options)), []);
});

/** Compiles a program that prints JSON, and runs it. */
async function runProgram(name: string, program: string) {
  write(`${name}.ts`, program);
  await run('node_modules/typescript/bin/tsc', '-p', '.');
  return JSON.parse(await run(`out/${name}.js`));
}

const settings = () =>
  `{ baseUrl: '${service.api}/v1', headers: { Authorization: 'Bearer ${service.keyText}' } }`;

test('the types of openapi-typescript fit what openapi-fetch gets', async () => {
  await run('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi.d.ts');
  const printed = await runProgram(
    'fetching',
    `import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.js';
const client = createClient<paths>(${settings()});
const body = { site: 1, name: 'Room 12', nights: 2, reference: 'bk-1' };
const { data, error } = await client.POST('/vouchers', { body });
if (!data || !('vouchers' in data)) throw new Error(error?.title);
const [made]: components['schemas']['Voucher'][] = data.vouchers;
const id = made?.id ?? 0;
const wrong = await client.GET('/vouchers/{id}', { params: { path: { id: id + 1 } } });
const { data: page } = await client.GET('/vouchers', { params: { query: { reference: 'bk-1' } } });
console.log(JSON.stringify([made?.status, page?.vouchers.map((one) => one.id === id), wrong.error?.title]));
`,
  );
  assert.deepEqual(printed, ['unused', [true], 'Voucher not found']);
});

test('the client of @hey-api/openapi-ts works', async () => {
  await run(
    'node_modules/@hey-api/openapi-ts/bin/run.js',
    '-i',
    'openapi.json',
    '-o',
    'hey-api',
    '--no-log-file',
  );
  const printed = await runProgram(
    'generated',
    `import { client } from './hey-api/client.gen.js';
import { createVouchers, getSite, revokeVoucher } from './hey-api/index.js';
client.setConfig(${settings()});
const { data } = await createVouchers({ body: { site: 1, name: 'Room 13' }, headers: { 'Idempotency-Key': 'bk-2' } });
const id = data && 'vouchers' in data ? data.vouchers[0]?.id : undefined;
const { data: revoked } = await revokeVoucher({ path: { id: id ?? 0 } });
const { error } = await getSite({ path: { id: 99 } });
console.log(JSON.stringify([revoked?.status, revoked?.history.map(({ event }) => event), error?.status]));
`,
  );
  assert.deepEqual(printed, ['revoked', ['created', 'revoked'], 404]);
});
