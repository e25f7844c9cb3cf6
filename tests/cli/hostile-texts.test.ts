// Tests that names of files, contents of backups, names of sites and settings cannot forge lines or control a terminal,
// whatever they contain.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { backUpToFile } from '../../src/platform/backup/create-backup.ts';
import { makeLines, type NewHeader } from '../../src/platform/backup/format.ts';
import { openStorage } from '../../src/platform/database/open-storage.ts';
import { openRecords } from '../support/engine.ts';
import { HARMLESS, HOSTILE, harmlessLines } from '../support/hostile-text.ts';
import { makeFolder, runGastpass, startGastpass } from '../support/run-gastpass.ts';
import { tables } from '../support/tables.ts';

const { folder, remove } = makeFolder();
const secret = 'the secret of the installation, long enough';
const dataDir = join(folder, HOSTILE);
const backup = join(folder, `backup ${HOSTILE}`);
const gastpass = (words: string[], environment = {}) =>
  runGastpass(words, { dataDir, environment: { GASTPASS_SECRET: secret, ...environment } });

before(async () => {
  const source = { dataDir: join(folder, 'source'), secret };
  await (await openStorage(source)).database.close();
  const records = openRecords(source.dataDir);
  records.change(
    `insert into sites (name, active, controller_kind, controller_site, created_at_ms) values (?, 1, 'simulator', 'default', 0)`,
    HOSTILE,
  );
  records.close();
  await backUpToFile(source, backup, { declared: tables, passphrase: undefined, release: HOSTILE, nowMs: 0 });
});
after(remove);

function forgedBackup(facts: Partial<NewHeader>): string {
  const { header, table, rows, end } = makeLines();
  const [release, tables] = [HOSTILE, { [HOSTILE]: 1 }];
  const from = { schemaVersion: 1, engine: 'SQLite', madeAtMs: 0, secret: null, ids: {} } as const;
  const lines = [
    header({ release, tables, ...from, ...facts }),
    table(HOSTILE, ['a']),
    rows(['a'], [{ a: 1 }]),
  ];
  const file = join(folder, `forged ${HOSTILE}`);
  writeFileSync(file, gzipSync([...lines, end()].join('')));
  return file;
}

test('a forged backup cannot write lines of its own in what verify and restore say', async () => {
  const forged = forgedBackup({});
  const shown = `${folder}/forged ${HARMLESS}`;
  const { code, stdout } = await gastpass(['verify', forged]);
  assert.equal(code, 0);
  const lines = harmlessLines(stdout);
  assert.deepEqual(lines.slice(0, 3), [
    `${shown} is complete: 1 row, the checksum is right.`,
    `Made 1970-01-01T00:00:00.000Z by release ${HARMLESS} on SQLite (schema version 1).`,
    `  ${HARMLESS}: 1`,
  ]);
  assert.equal(lines.length, 5);

  const refused = await gastpass(['restore', forged]);
  assert.deepEqual(harmlessLines(refused.stderr), [
    `gastpass: ${shown} contains the unknown table "${HARMLESS}"`,
  ]);
  const newer = await gastpass(['restore', forgedBackup({ schemaVersion: 9_999 })]);
  assert.match(newer.stderr, /was made by the newer release A ok/);
  assert.equal(harmlessLines(newer.stderr).length, 1);
  writeFileSync(forged, 'no backup');
  const none = await gastpass(['verify', forged]);
  assert.deepEqual(harmlessLines(none.stderr), [`gastpass: ${shown} is not a backup of Gastpass`]);
});

test('settings cannot forge lines in the list of what is wrong', async () => {
  const { code, stderr } = await gastpass(['verify'], { TZ: HOSTILE, PORT_FILE: HOSTILE });
  assert.equal(code, 2);
  const [, port, zone, ...more] = harmlessLines(stderr);
  assert.ok(port?.startsWith(`  PORT_FILE: cannot read ${HARMLESS}`), stderr);
  assert.ok(zone?.startsWith('  TZ: expected a time zone'), stderr);
  assert.deepEqual(more, []);
});

test('a backup with a hostile release is restored', async () => {
  const restored = await gastpass(['restore', backup]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(harmlessLines(restored.stdout), [
    `Restored 2 rows of 1970-01-01T00:00:00.000Z (SQLite, release ${HARMLESS}).`,
    'Now run gastpass verify, then start the service.',
  ]);
});

test('the restored data is verified and listed, with a site of a hostile name', async () => {
  const verified = await gastpass(['verify']);
  assert.ok(
    harmlessLines(verified.stdout).at(-1)?.startsWith(`ok       Site 1 (${HARMLESS}): `),
    verified.stdout,
  );
  const [, site = ''] = harmlessLines((await gastpass(['sites', 'list'])).stdout);
  assert.match(site, /^1 +A ok {7}database: forged \[35m \]0;title 2J B {2}yes +simulator/);
});

test('the value of a hostile name in JSON is exact, but its characters are escaped', async () => {
  const json = (await gastpass(['sites', 'list', '--json'])).stdout;
  harmlessLines(json);
  assert.equal(JSON.parse(json)[0].name, HOSTILE);
});

test('the service logs a hostile folder and a hostile variable on a terminal, each on one line', async () => {
  const service = await startGastpass({
    dataDir,
    environment: { GASTPASS_SECRET: secret, [`GASTPASS_${HOSTILE}`]: 'x', FORCE_COLOR: '0' },
    nodeOptions: ['--import', 'data:text/javascript,process.stdout.isTTY=true'],
  });
  const { stdout } = await service.stop();
  const lines = harmlessLines(stdout);
  assert.ok(
    lines.some((line) => line.endsWith(`dataDir=${folder}/${HARMLESS}`)),
    stdout,
  );
  assert.ok(
    lines.some((line) => line.includes(`variable=GASTPASS_${HARMLESS}`)),
    stdout,
  );
});
