// A second unmodified third-party client, unifi-client, works with both flavours of the simulated controller. It
// handles cookies and CSRF tokens differently.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  FLAVOURS,
  type SimulatedConsole,
  startSimulatedConsole,
} from '../../../packages/unifi-console/src/index.ts';
import { type Envelope, makeUnifiClient, type UnifiClient } from './unifi-client.ts';

for (const flavour of FLAVOURS)
  describe(`unifi-client on ${flavour}`, () => {
    let simulator: SimulatedConsole;
    let client: UnifiClient;
    before(async () => {
      simulator = await startSimulatedConsole({ flavour });
      client = makeUnifiClient(simulator);
      await client.login();
    });
    after(() => simulator.stop());

    const network = { proxyNamespace: 'network' };
    async function command(body: object): Promise<Envelope> {
      const { data } = await client.getInstance().post('/api/s/default/cmd/hotspot', body, network);
      return data;
    }
    async function list(createTime: unknown): Promise<Envelope['data']> {
      const path = '/api/s/default/stat/voucher';
      const { data } = await client.getInstance().post(path, { create_time: createTime }, network);
      return data.data;
    }

    test('reads the flavour, the version and the sites', async () => {
      assert.equal(client.unifiOs, flavour === 'unifi-os');
      assert.equal(client.version, '10.5.66');
      const sites = await client.getSites();
      assert.deepEqual(
        sites.map(({ name }) => name),
        ['default', 'k3w9x2pb'],
      );
    });

    test('creates a voucher with limits, finds it, and revokes it', async () => {
      const limits = { up: 2000, down: 10_000, bytes: 2048 };
      const order = { n: 1, quota: 1, expire: 480, note: 'Zimmer 12', ...limits };
      const created = await command({ cmd: 'create-voucher', ...order });
      assert.equal(created.meta.rc, 'ok');
      const createTime = created.data[0]?.create_time;
      const [voucher] = await list(createTime);
      assert.equal(voucher?.note, 'Zimmer 12');
      assert.equal(voucher?.qos_rate_max_down, 10_000);
      assert.equal((await command({ cmd: 'delete-voucher', _id: voucher?._id })).meta.rc, 'ok');
      assert.deepEqual(await list(createTime), []);
    });

    test('reads all vouchers with GET, with only its cookie', async () => {
      simulator.controls.fill({ note: 'by GET' });
      const { data } = await client.getInstance().get('/api/s/default/stat/voucher', network);
      assert.ok(data.data.some(({ note }) => note === 'by GET'));
    });

    test('a wrong password is refused', async () => {
      const stranger = makeUnifiClient({ ...simulator, password: 'wrong' });
      await assert.rejects(stranger.login());
      assert.equal(simulator.controls.counters().loginsRefused, 1);
    });

    test('logs out', async () => {
      await client.logout();
      assert.equal(simulator.controls.counters().requests.logout, 1);
    });
  });
