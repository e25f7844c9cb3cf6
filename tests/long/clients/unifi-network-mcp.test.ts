// An unmodified third-party client of the official API, unifi-network-mcp, works with the simulated console. It is a
// server of the Model Context Protocol and receives its calls as JSON lines.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('unifi-network-mcp'));
const PROTOCOL = '2024-11-05';

describe('unifi-network-mcp', () => {
  let simulator: SimulatedConsole;
  before(async () => {
    simulator = await startSimulatedConsole({ flavour: 'unifi-os' });
  });
  after(() => simulator.stop());

  /** Calls one tool with an API key and returns the result. */
  async function callTool(name: string, input: object, apiKey = simulator.apiKey) {
    const target = {
      id: 'console',
      base_url: simulator.url,
      controller_type: 'unifi_os',
      default_site: 'default',
      auth: { apiKey, headerName: 'X-API-KEY' },
      verify_ssl: false,
    };
    const env = { PATH: process.env.PATH, UNIFI_TARGETS: JSON.stringify([target]) };
    const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    try {
      const clientInfo = { name: 'test', version: '1' };
      const hello = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo };
      send({ id: 1, method: 'initialize', params: hello });
      await once(lines, 'line');
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/call', params: { name, arguments: input } });
      const [line] = await once(lines, 'line');
      return JSON.parse(line).result.structuredContent;
    } finally {
      child.kill();
    }
  }

  test('lists the sites of the console', async () => {
    const { structuredContent } = await callTool('list_sites', {});
    const names = structuredContent.result.data.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['Default', 'Haus B']);
  });

  test('lists the second page, and filters the list', async () => {
    const second = await callTool('list_sites', { offset: 1, limit: 1 });
    assert.equal(second.structuredContent.result.data[0].name, 'Haus B');
    const filtered = await callTool('list_sites', { filter: "name.eq('Haus B')" });
    assert.equal(filtered.structuredContent.result.data.length, 1);
  });

  test('reads the version of the application', async () => {
    const { structuredContent } = await callTool('get_sysinfo', {});
    assert.deepEqual(structuredContent.result.data.sysinfo, { applicationVersion: '10.5.66' });
  });

  test('a wrong key is refused', async () => {
    const { error } = await callTool('list_sites', {}, 'wrong');
    assert.equal(error, 'HTTP 401');
  });
});
