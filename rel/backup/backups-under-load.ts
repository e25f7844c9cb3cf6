// Makes backups while callers create vouchers, restores each one into an empty installation, and compares: every
// voucher that was acknowledged before the backup began must be there, and all tables must show the same moment.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '../../tests/support/postgres.ts';
import { callApi, makeFolder, runGastpass, startGastpass } from '../../tests/support/run-gastpass.ts';

const CALLERS = 4;
/** Keeps the database small enough that the last backups take as long as the first ones. */
const PAUSE_MS = 40;
const SECRET = 'a secret for backups under load, long enough';
const PASSPHRASE = 'a passphrase for backups';

export type Engine = 'sqlite' | 'postgres';
type Settings = Record<string, string>;

export interface BackupsReport {
  backups: number;
  acknowledged: number;
  /** The largest number of vouchers in a backup. */
  vouchers: number;
  backupMs: { median: number; max: number };
  restoreMs: { median: number; max: number };
  faults: string[];
}

interface Installation {
  settings: Settings;
  /** Runs one query directly. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

/** @param targets the engines of the restored installations, by turns */
export async function runBackupsUnderLoad(input: {
  count: number;
  source: Engine;
  targets: Engine[];
  onBackup?: (done: number) => void;
}): Promise<BackupsReport> {
  const { count, source, targets, onBackup = () => {} } = input;
  const { folder, remove } = makeFolder();
  const origin = await makeInstallation(source);
  const load = await startLoad(origin.settings);
  const report = { backups: 0, vouchers: 0, faults: [] as string[] };
  const backupMs: number[] = [];
  const restoreMs: number[] = [];
  try {
    for (; report.backups < count; report.backups++) {
      const file = join(folder, 'backup');
      const promised = [...load.acknowledged];
      backupMs.push(await timed(() => run(['backup', file], origin.settings)));
      const target = await makeInstallation(targets[report.backups % targets.length] ?? 'sqlite');
      restoreMs.push(await timed(() => run(['restore', file], target.settings)));
      const { vouchers, faults } = await compare(target, promised);
      report.faults.push(...faults.map((fault) => `backup ${report.backups + 1}: ${fault}`));
      report.vouchers = Math.max(report.vouchers, vouchers);
      await target.remove();
      rmSync(file);
      onBackup(report.backups + 1);
    }
  } finally {
    report.faults.push(...(await load.stop()));
    await origin.remove();
    remove();
  }
  return {
    ...report,
    acknowledged: load.acknowledged.length,
    backupMs: summary(backupMs),
    restoreMs: summary(restoreMs),
  };
}

async function makeInstallation(engine: Engine): Promise<Installation> {
  const { folder, remove } = makeFolder();
  const settings = {
    DATA_DIR: folder,
    GASTPASS_SECRET: SECRET,
    BACKUP_PASSPHRASE: PASSPHRASE,
    GASTPASS_DEMO: '0',
  };
  if (engine === 'postgres') {
    const database = await makeTestDatabase();
    return {
      settings: { ...settings, DATABASE_URL: database.url },
      rows: database.rows,
      async remove() {
        await database.drop();
        remove();
      },
    };
  }
  return {
    settings,
    async rows(sql) {
      const file = new DatabaseSync(join(folder, 'gastpass.sqlite'), { readOnly: true, timeout: 5_000 });
      try {
        return file.prepare(sql).all();
      } finally {
        file.close();
      }
    },
    remove: async () => remove(),
  };
}

async function run(words: string[], environment: Settings): Promise<string> {
  const { code, stdout, stderr } = await runGastpass(words, { environment });
  if (code !== 0) throw new Error(`gastpass ${words.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** A service and callers that create vouchers until they are stopped. */
async function startLoad(environment: Settings) {
  await run(['migrate'], environment);
  await run(['sites', 'add', '--name', 'Haus A', '--controller', 'simulator'], environment);
  // Notifications wait for this webhook, so they can be counted.
  await run(['webhooks', 'add', '--url', 'http://127.0.0.1:9/', '--format', 'generic'], environment);
  const key = await run(['keys', 'create', '--name', 'Last', '--scope', 'write'], environment);
  const service = await startGastpass({ environment: { ...environment, LOG_LEVEL: 'silent' } });
  const acknowledged: string[] = [];
  const faults: string[] = [];
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let order = 0; !isOver; order++) {
      const body = { site_id: 1, name: `Gast ${caller}-${order}` };
      const { status, json } = await callApi(service, { key, body });
      if (status === 201) acknowledged.push(String(json.code).replaceAll('-', ''));
      else faults.push(`an order got ${status} during the backups`);
      await sleep(PAUSE_MS);
    }
  });
  return {
    acknowledged,
    async stop(): Promise<string[]> {
      isOver = true;
      await Promise.all(callers);
      await service.stop();
      return faults;
    },
  };
}

async function compare(
  target: Installation,
  promised: string[],
): Promise<{ vouchers: number; faults: string[] }> {
  const faults: string[] = [];
  const codes = (await target.rows('select code from vouchers')).map(({ code }) => String(code));
  const known = new Set(codes);
  const missing = promised.filter((code) => !known.has(code)).length;
  if (missing > 0) faults.push(`${missing} acknowledged vouchers are missing`);
  if (known.size !== codes.length) faults.push('a code is there twice');
  const [row] = await target.rows(`select
    (select count(*) from (select event_id from outbox union all select event_id from messages) as announced) as announced,
    (select count(*) from audit where action = 'voucher.created') as audited`);
  // A voucher, its notification and its audit entry are written in one transaction.
  for (const [what, found] of Object.entries(row ?? {}))
    if (Number(found) !== codes.length) faults.push(`${codes.length} vouchers, but ${found} are ${what}`);
  return { vouchers: codes.length, faults };
}

async function timed(job: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await job();
  return Math.round(performance.now() - start);
}

function summary(values: number[]): { median: number; max: number } {
  const sorted = values.toSorted((one, other) => one - other);
  return { median: sorted[sorted.length >> 1] ?? 0, max: sorted.at(-1) ?? 0 };
}
