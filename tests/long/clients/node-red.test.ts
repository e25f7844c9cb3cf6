// The flow in integrations/, run by Node-RED: its buttons create a voucher for a booking, count the unused ones and
// cancel the booking.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { loadNodeRed } from './node-red.ts';

const FLOW = fileURLToPath(new URL('../../../integrations/node-red-flow.json', import.meta.url));

const nodeRed = loadNodeRed();
const { folder, remove } = makeFolder();
let service: TestService;
before(async () => {
  service = await startTestService();
  process.env.GASTPASS_URL = service.api;
  process.env.GASTPASS_KEY = service.keyText;
  cpSync(FLOW, join(folder, 'flows.json'));
  nodeRed.init(createServer(), {
    userDir: folder,
    flowFile: 'flows.json',
    // Neither the editor nor pages of its own.
    httpAdminRoot: false,
    httpNodeRoot: false,
    credentialSecret: false,
    telemetry: { enabled: false },
    logging: { console: { level: 'off' } },
  });
  const started = new Promise<void>((resolve) => nodeRed.events.once('flows:started', resolve));
  await nodeRed.start();
  await started;
});
after(async () => {
  await nodeRed.stop();
  await service.stop();
  remove();
});

/** Presses the button of an inject node and waits until the service has answered this request. */
async function press(id: string, method: string, route: string): Promise<unknown> {
  const button = nodeRed.nodes.getNode(id);
  assert.ok(button, id);
  const seen = service.logLines.length;
  const responded = () =>
    service.logLines
      .slice(seen)
      .find((line) => line.msg === 'answered' && line.route === route && line.method === method);
  button.receive();
  await until(responded, { otherwise: `${id} sent no request` });
  return responded()?.status;
}

test('the buttons create one voucher for a booking, count, and cancel the booking', async () => {
  const create = () => press('gastpass-create', 'POST', '/api/v1/vouchers');
  const find = async () => (await service.client.listVouchers({ reference: '4711' })).vouchers;
  assert.deepEqual([await create(), await create()], [201, 201]);
  const [made, ...others] = await find();
  assert.deepEqual([made?.name, made?.status, others], ['Room 12', 'unused', []]);
  assert.equal(await press('gastpass-list', 'GET', '/api/v1/vouchers'), 200);
  assert.equal(await press('gastpass-revoke', 'POST', '/api/v1/vouchers/{id}/revoke'), 200);
  assert.equal((await find())[0]?.status, 'revoked');
  assert.equal(await create(), 409, 'a late message creates nothing');
  assert.equal((await find()).length, 1);
});
