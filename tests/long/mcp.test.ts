// `gastpass mcp` as a program that speaks the Model Context Protocol starts it: as a process of its own, with the key
// in a file. Also what it does without a key, and when its caller goes away.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/gastpass', import.meta.url));
const { folder, remove } = makeFolder();
const keyFile = join(folder, 'key');
let service: TestService;
before(async () => {
  service = await startTestService();
  writeFileSync(keyFile, `${service.keyText}\n`, { mode: 0o600 });
});
after(async () => {
  await service.stop();
  remove();
});

const environment = () => ({
  PATH: process.env.PATH ?? '',
  GASTPASS_URL: service.api,
  GASTPASS_KEY_FILE: keyFile,
});

test('a program starts the command and creates a voucher', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: PROGRAM,
    args: ['mcp'],
    env: environment(),
    cwd: folder,
  });
  await client.connect(transport);
  const { content } = await client.callTool({
    name: 'create_voucher',
    arguments: { site: 1, name: 'Zimmer 12' },
  });
  await client.close();
  const [voucher] = (await service.client.listVouchers()).vouchers;
  assert.match(JSON.stringify(content), new RegExp(`${voucher?.code}`));
});

async function run(env: Record<string, string>, lines: string[]) {
  const child = spawn(PROGRAM, ['mcp'], { env, cwd: folder });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

test('standard output has nothing but the protocol, also if a message is no JSON, and the process ends with its input', async () => {
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const { code, stdout } = await run(environment(), [
    'not JSON',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
    JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
  ]);
  assert.equal(code, 0);
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  assert.deepEqual(ids, [1, 2]);
});

test('without a key the command says on standard error what is missing, and exits with 2', async () => {
  const { GASTPASS_KEY_FILE: _, ...withoutKey } = environment();
  const { code, stdout, stderr } = await run(withoutKey, []);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /GASTPASS_KEY or GASTPASS_KEY_FILE/);
});
