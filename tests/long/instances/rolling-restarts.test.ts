// Two instances on PostgreSQL are restarted one after the other behind each proxy, as docs/scaling.md configures it: no
// request fails, neither during plain restarts nor while the secret is changed or the next release is installed.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { auditBooks } from '../../../rel/instances/books.ts';
import { NEXT_VERSION, writeNextRelease } from '../../support/next-release.ts';
import { makeTestDatabase } from '../../support/postgres.ts';
import { findFreePort } from '../../support/postgres-server.ts';
import { makeFolder, type RunningGastpass, runGastpass, startGastpass } from '../../support/run-gastpass.ts';
import { ask, PROXIES, type ProxyName, type RunningProxy, startProxy } from '../proxies.ts';

const CALLERS = 4;
/** Caddy has to find that an instance is ready before the next one stops. */
const CADDY_PAUSE_MS = 5_000;
const [OLD_SECRET, NEW_SECRET] = [
  'the old secret of both instances 1234',
  'the new secret of both instances 5678',
];

const { folder, remove } = makeFolder();
after(remove);

test('restarts, a change of the secret and an upgrade behind each proxy fail no request', async (t) => {
  const database = await makeTestDatabase();
  const console = await startSimulatedConsole({ latencyMs: 5 });
  const settings: Record<string, string> = {
    DATABASE_URL: database.url,
    GASTPASS_SECRET: OLD_SECRET,
    GASTPASS_DEMO: '0',
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
    ADMIN_EMAIL: 'ada@example.org',
    ADMIN_PASSWORD: 'ein langes Passwort für Ada',
  };
  const ports = [await findFreePort(), await findFreePort()];
  const running: RunningGastpass[] = [];
  let release: string | undefined;
  const start = async (index: number) => {
    const environment = { ...settings, PORT: String(ports[index]) };
    running[index] = await startGastpass({ dataDir: folder, environment, ...(release && { release }) });
  };
  /** One after the other, each as soon as the one before is ready. */
  const restartAll = async ({ pauseMs = 0 } = {}) => {
    for (const index of ports.keys()) {
      assert.equal((await running[index]?.stop())?.code, 0);
      await start(index);
      await sleep(pauseMs);
    }
  };
  const run = async (words: string, input?: string) => {
    const options = {
      dataDir: folder,
      environment: settings,
      ...(input && { input }),
      ...(release && { release }),
    };
    const { code, stdout, stderr } = await runGastpass(words.split(' '), options);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const proxies: RunningProxy[] = [];
  t.after(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await Promise.all(running.map((instance) => instance.stop('SIGKILL')));
    await console.stop();
    await database.drop();
  });

  for (const index of ports.keys()) await start(index);
  const siteId = await addSite(run, console);
  const key = /gpk_\w+/.exec(await run('keys create --name Kasse --scope write'))?.[0] ?? '';
  const loads: Load[] = [];
  const addLoad = async (name: ProxyName) => {
    const proxy = await startProxy(name, [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`], folder);
    proxies.push(proxy);
    loads.push(startLoad({ port: proxy.ports.tls, key, siteId }));
  };

  await addLoad('nginx');
  await addLoad('HAProxy');
  await restartAll();
  await addLoad('Caddy');
  const pause = { pauseMs: CADDY_PAUSE_MS };
  Object.assign(settings, { GASTPASS_SECRET: NEW_SECRET, GASTPASS_SECRET_PREVIOUS: OLD_SECRET });
  await restartAll(pause);
  await run('rekey');
  delete settings.GASTPASS_SECRET_PREVIOUS;
  await restartAll(pause);
  release = join(folder, 'next');
  writeNextRelease(release);
  await restartAll(pause);
  assert.match(await run('version'), new RegExp(NEXT_VERSION));

  const results = await Promise.all(loads.map((load) => load.stop()));
  for (const [index, { promised, lists, failed }] of results.entries()) {
    t.diagnostic(`${PROXIES[index]}: ${promised.length} vouchers, ${lists} lists, ${failed.length} failures`);
    assert.ok(promised.length > 50 && lists > 50);
  }
  assert.deepEqual(
    results.flatMap(({ failed }) => failed),
    [],
  );
  const promised = results.flatMap((result) => result.promised);
  assert.deepEqual(await auditBooks({ database }, [{ siteId, console }], promised), []);
});

async function addSite(
  run: (words: string, input?: string) => Promise<string>,
  { url, fingerprint256, apiKey }: SimulatedConsole,
): Promise<number> {
  const connection = `--controller unifi --url ${url} --fingerprint ${fingerprint256} --api-key-file -`;
  const siteId = Number(await run(`sites add --name Haus ${connection}`, apiKey));
  // No server listens at this URL, so all notifications stay undelivered and can be counted.
  await run('webhooks add --url http://127.0.0.1:9/ --format generic');
  return siteId;
}

type Load = ReturnType<typeof startLoad>;

/** Lists and creates vouchers until it is stopped. A request is never repeated. */
function startLoad({ port, key, siteId }: { port: number; key: string; siteId: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const headers = { authorization: `Bearer ${key}` };
  const promised: string[] = [];
  const failed: string[] = [];
  let [lists, isOver] = [0, false];
  const callers = Array.from({ length: CALLERS }, async (_, number) => {
    for (let turn = number; !isOver; turn++) {
      const isList = turn % 2 === 0;
      const order = { method: 'POST', body: JSON.stringify({ site_id: siteId, name: `Zimmer ${number}` }) };
      const path = `/api/vouchers.php${isList ? `?site_id=${siteId}` : ''}`;
      const { status, body } = await ask(request, {
        port,
        agent,
        headers,
        path,
        ...(!isList && order),
      }).catch((error) => ({ status: 0, body: String(error) }));
      if (status === 201) promised.push(JSON.parse(body).code);
      else if (status === 200) lists++;
      else failed.push(`${isList ? 'GET' : 'POST'} ${status} ${body.slice(0, 200)}`);
      await sleep(5);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(callers);
      agent.destroy();
      return { promised, lists, failed };
    },
  };
}
