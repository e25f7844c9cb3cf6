// An instance of the release before and one of this release share a PostgreSQL database under load: no notification is
// lost or sent twice, and no page of either breaks. Then the older instance stops, refuses to start again, and finally
// starts from its backup.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type FleetSite, SECRET } from '../../../rel/instances/fleet.ts';
import { EVENT_KINDS } from '../../../src/features/webhooks/notification.ts';
import { KNOWN_SINCE } from '../../../src/kernel/instances/known-since.ts';
import { makeTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { callApi, makeFolder, type RunningGastpass, runGastpass } from '../../support/run-gastpass.ts';
import { until } from '../../support/until.ts';
import { makeWebClient, PASSWORD, type WebClient } from '../../web/web-client.ts';
import { type RecordingReceiver, startReceiver } from '../../webhooks/delivery/recording-receiver.ts';
import { operate, RELEASE_BEFORE, startLoad, unpackRelease } from './releases.ts';

/** The events that the older release knows. */
const OLD_EVENTS = EVENT_KINDS.filter(
  (kind) => !KNOWN_SINCE.some(({ what, value }) => what === 'event' && value === kind),
);
const EMAIL = 'chef@example.org';
const BATCH_SIZE = 7;
const SIX_MINUTES_MS = 6 * 60_000;

const { folder, remove } = makeFolder();
const release = join(folder, 'release');
before(() => unpackRelease(RELEASE_BEFORE, release));
after(remove);

test('beside an older release nothing is lost or sent twice, and no page breaks', async (t) => {
  const database = await makeTestDatabase();
  t.after(database.drop);
  const settings = { dataDir: folder, LOG_LEVEL: 'error', SYNC_INTERVAL_S: '5' };
  const { run, start, addSite, issueKey } = operate(t, { ...settings, DATABASE_URL: database.url });
  const [generic, chat] = [await startReceiver(), await startReceiver()];
  t.after(() => Promise.all([generic.stop(), chat.stop()]));

  const older = await start({ release });
  const [site, failing] = [await addSite({ release }), await addSite({ release })];
  const key = await issueKey({ release });
  const addUser = `users add --email ${EMAIL} --name Chef --admin --password-file -`;
  await run(addUser, { release, input: PASSWORD });
  for (const [format, { url }] of [['generic', generic] as const, ['chat', chat] as const])
    await run(`webhooks add --url ${url} --format ${format} --events ${OLD_EVENTS.join()}`, { release });
  const load = startLoad(t, [older], { key, siteId: site.siteId, callerCount: 2 });
  const users = [await login([older])];
  await run(`backup ${join(folder, 'backup')} --without-secret`, { release });

  const newer = await start();
  load.moveTo([older, newer]);
  users.push(await login([newer]));
  const balanced = await login([older, newer]);
  for (let batch = 0; batch < 4; batch++) await createBatch(balanced, site);
  for (let revoked = 0; revoked < 4; revoked++) await revokeVoucher(balanced, database);
  await breakDown(failing, { database, receiver: generic });
  // Only the newer release counts several orders in one message.
  await until(async () => (await database.rows(MERGED)).length > 0);
  const opened = await openPages([older, newer], { users, paths: await pathsOf(database, site, failing) });
  t.diagnostic(`${opened} pages`);
  failing.console.controls.resetFaults();
  const promised = await load.stop();

  await until(() => generic.arrivals.some(({ body }) => body.type === 'site.recovered'));
  await until(async () => (await database.rows(WAITING)).length === 0);
  await assertNotifiedOnce(database, { generic, chat });
  await assertKept(database, site, promised);
  const ended = await older.stop();
  // While the newer release migrates, PostgreSQL may end a query of the older one, which then tries again.
  const errors = errorsOf(ended.stdout).filter((line) => !line.includes('deadlock detected'));
  assert.deepEqual([ended.code, errors], [0, []]);

  await assertAlone(newer, { database, key, site, user: users[0], generic });
  await refuseOlder(database);
  await assertAlone(newer, { database, key, site, user: users[1], generic });
  const stopped = await newer.stop();
  assert.deepEqual([stopped.code, errorsOf(stopped.stdout)], [0, []]);
  await goBack(t, { site, key });
});

const MERGED = "select id, webhook_id from deliveries where state = 'delivered' and tries = 0 limit 1";
const WAITING = `select 1 from outbox union all select 1 from deliveries where coalesce(event_state, state) = 'waiting'`;

/** A browser whose requests go to these instances in turn, also the page of a form and the form itself. */
async function login(instances: RunningGastpass[]): Promise<WebClient> {
  let turn = 0;
  const client = makeWebClient({ url: '' }, (path, init) =>
    fetch(`${instances[turn++ % instances.length]?.url}${path}`, init),
  );
  assert.equal((await client.login(EMAIL)).status, 303);
  return client;
}

async function createBatch(client: WebClient, { siteId }: FleetSite): Promise<void> {
  const fields = { site: String(siteId), name: 'Tagung', count: String(BATCH_SIZE), uses: '1' };
  const { status, location } = await client.post('/vouchers', fields);
  assert.equal(status, 303);
  assert.match(location ?? '', /^\/batches\//);
}

async function revokeVoucher(client: WebClient, database: TestDatabase): Promise<void> {
  const [row] = await database.rows('select id from vouchers where revoked_at_s is null order by id limit 1');
  const { status, location, text } = await client.post(`/vouchers/${row?.id}/revoke`, {});
  assert.deepEqual([status, location], [303, `/vouchers/${row?.id}`], text);
}

/** Lets the console of a site answer with web pages, for longer than until an outage is reported. */
async function breakDown(
  { siteId, console }: FleetSite,
  { database, receiver }: { database: TestDatabase; receiver: RecordingReceiver },
): Promise<void> {
  console.controls.setFault({ kind: 'html', times: 'always' });
  const ago = `update site_syncs set failing_since_ms = failing_since_ms - ${SIX_MINUTES_MS}, synced_at_ms = null
    where site_id = $1 and failing_since_ms is not null returning 1`;
  await until(async () => (await database.rows(ago, siteId)).length > 0);
  await until(() => receiver.arrivals.some(({ body }) => body.type === 'site.unreachable'));
}

/** The pages that show what both releases wrote. */
async function pathsOf(database: TestDatabase, site: FleetSite, failing: FleetSite): Promise<string[]> {
  const first = async (sql: string) => (await database.rows(sql))[0] ?? {};
  const { id } = await first('select id from vouchers where revoked_at_s is null limit 1');
  const { id: revoked } = await first('select id from vouchers where revoked_at_s is not null limit 1');
  const { id: batch } = await first('select id from batches limit 1');
  const merged = await first(MERGED);
  const outage = await first("select id, webhook_id from deliveries where kind = 'site.unreachable' limit 1");
  const lists =
    '/ /vouchers /batches /overview /sites /sites/new /webhooks /settings /health /audit /users /keys'.split(
      ' ',
    );
  return [
    ...lists,
    ...[id, revoked].map((voucher) => `/vouchers/${voucher}`),
    `/batches/${batch}`,
    ...[site, failing].flatMap(({ siteId }) => [`/sites/${siteId}`, `/sites/${siteId}/slip`]),
    ...[merged, outage].flatMap(({ webhook_id, id: delivery }) => [
      `/webhooks/${webhook_id}`,
      `/webhooks/${webhook_id}/deliveries`,
      `/webhooks/${webhook_id}/deliveries/${delivery}`,
    ]),
    '/profiles',
    '/account',
  ];
}

/** Each user opens all pages on each instance, whichever of them the user signed in on. Returns their number. */
async function openPages(
  instances: RunningGastpass[],
  { users, paths }: { users: WebClient[]; paths: string[] },
): Promise<number> {
  const broken: string[] = [];
  for (const [number, { url }] of instances.entries())
    for (const { cookies } of users) {
      const client = makeWebClient({ url });
      for (const [name, value] of cookies) client.cookies.set(name, value);
      for (const path of paths) {
        const { status, location } = await client.get(path);
        if (status !== 200) broken.push(`instance ${number}: ${path} ${status} ${location ?? ''}`);
      }
    }
  assert.deepEqual(broken, []);
  return instances.length * users.length * paths.length;
}

async function assertNotifiedOnce(
  database: TestDatabase,
  { generic, chat }: { generic: RecordingReceiver; chat: RecordingReceiver },
): Promise<void> {
  const [counted] = await database.rows('select count(*) as n from vouchers');
  const rows = await database.rows(
    "select event_id from deliveries join webhooks on webhooks.id = webhook_id where format = 'generic' order by deliveries.id",
  );
  assert.deepEqual(
    generic.ids(),
    rows.map(({ event_id }) => event_id),
  );
  assert.equal(new Set(generic.ids()).size, rows.length);
  const bodies = generic.arrivals.map(({ body }) => body);
  const incidents = bodies.filter(({ type }) => type !== 'voucher.created');
  assert.deepEqual(
    incidents.map(({ type, data }) => [type, data.cause]),
    [
      ['site.unreachable', 'not-unifi'],
      ['site.recovered', undefined],
    ],
  );
  const announced = bodies.map(({ type, data }) => (type === 'voucher.created' ? data.count : 0));
  assert.equal(sum(announced), Number(counted?.n));
  const said = chat.arrivals.map(({ body }) => /^🎫 (Ein|\d+) Voucher/.exec(body.text)?.[1] ?? '0');
  assert.equal(sum(said.map((count) => (count === 'Ein' ? 1 : Number(count)))), Number(counted?.n));
  assert.equal(said.filter((count) => count === '0').length, incidents.length);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The console has the recorded vouchers, without those that were revoked, and callers got each code once. */
async function assertKept(database: TestDatabase, { console }: FleetSite, promised: string[]): Promise<void> {
  const rows = await database.rows('select code, revoked_at_s from vouchers');
  const codes = new Set(rows.map(({ code }) => String(code)));
  const valid = rows.filter((row) => row.revoked_at_s === null).map(({ code }) => String(code));
  assert.equal(new Set(promised).size, promised.length);
  assert.deepEqual(
    promised.filter((code) => !codes.has(code)),
    [],
  );
  assert.equal(rows.length - valid.length, 4);
  assert.deepEqual(
    console.controls
      .vouchers()
      .map(({ code }) => code)
      .sort(),
    valid.sort(),
  );
  assert.deepEqual(await database.rows('select 1 from intents'), []);
}

interface Alone {
  database: TestDatabase;
  key: string;
  site: FleetSite;
  user: WebClient | undefined;
  generic: RecordingReceiver;
}

/** The newer instance works on its own. */
async function assertAlone(
  newer: RunningGastpass,
  { database, key, site, user, generic }: Alone,
): Promise<void> {
  assert.ok(user);
  const before = generic.arrivals.length;
  const made = await callApi(newer, { key, body: { site_id: site.siteId, name: 'Zimmer 99' } });
  assert.equal(made.status, 201);
  await until(() => generic.arrivals.length > before);
  await openPages([newer], { users: [user], paths: await pathsOf(database, site, site) });
}

async function refuseOlder(database: TestDatabase): Promise<void> {
  const environment = { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET };
  const refused = await runGastpass(['serve'], { dataDir: folder, environment, release });
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /schema version \d+, this release knows 17: start the newer release, or restore/,
  );
}

/** The way back of docs/upgrade.md: the older release on its backup. Later vouchers come back from the console. */
async function goBack(t: TestContext, { site, key }: { site: FleetSite; key: string }): Promise<void> {
  const database = await makeTestDatabase();
  t.after(database.drop);
  const settings = { dataDir: folder, LOG_LEVEL: 'error', SYNC_INTERVAL_S: '5', DATABASE_URL: database.url };
  const { run, start } = operate(t, settings);
  await run(`restore ${join(folder, 'backup')}`, { release });
  const older = await start({ release });
  const wanted = site.console.controls.vouchers().map(({ code }) => code);
  await until(async () => {
    const listed = new Set((await database.rows('select code from vouchers')).map(({ code }) => code));
    return wanted.every((code) => listed.has(code));
  });
  const made = await callApi(older, { key, body: { site_id: site.siteId, name: 'Zimmer 100' } });
  assert.equal(made.status, 201);
  const ended = await older.stop();
  // While the newer release migrates, PostgreSQL may end a query of the older one, which then tries again.
  const errors = errorsOf(ended.stdout).filter((line) => !line.includes('deadlock detected'));
  assert.deepEqual([ended.code, errors], [0, []]);
}

/** The lines of the log, without the lines for the terminal at start. */
function errorsOf(stdout: string): string[] {
  return stdout.split('\n').filter((line) => line.startsWith('{'));
}
