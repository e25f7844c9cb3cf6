// Earlier releases from the history of the repository, and instances and commands of any release on one database.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { type FleetSite, SECRET } from '../../../rel/instances/fleet.ts';
import { callApi, type RunningGastpass, runGastpass, startGastpass } from '../../support/run-gastpass.ts';

/**
 * A commit of the release before this one: see docs/releases.md. 0.2.0 was never tagged. Of its commits, this one knows
 * least: neither the table of instances nor values that a later release added.
 */
export const RELEASE_BEFORE = { version: '0.2.0', commit: '91a227751a77b8e71e7cde76a2994d76b162a77f' };
/** Its schema is older than that of every later release. */
export const FIRST_RELEASE = { version: '0.1.0', commit: '094e5b1d0f1e93b54e55d88e536ea857aada6406' };

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Writes the program of an earlier release into a new folder. */
export function unpackRelease({ version, commit }: typeof RELEASE_BEFORE, place: string): void {
  const archive = `${place}.tar`;
  // The clone may belong to another user.
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'safe.directory=*', ...words], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  try {
    git('archive', '-o', archive, commit, 'bin', 'src', 'package.json');
  } catch (error) {
    const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
    const advice = isShallow
      ? 'run git fetch --unshallow'
      : 'this history does not have it: name another one';
    throw new Error(`this test needs commit ${commit} of release ${version}: ${advice}`, { cause: error });
  }
  mkdirSync(place);
  execFileSync('tar', ['-x', '-f', archive, '-C', place]);
  // The packages of this release: they satisfy the ranges of earlier releases.
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
}

interface From {
  release?: string;
}

/** Runs instances and commands of any release with one role of the database. */
export function operate(
  t: TestContext,
  { dataDir, ...settings }: { dataDir: string; DATABASE_URL: string } & Record<string, string>,
) {
  const environment = {
    GASTPASS_SECRET: SECRET,
    GASTPASS_DEMO: '0',
    LOG_LEVEL: 'silent',
    ...settings,
  };
  const options = { dataDir, environment };
  const running: RunningGastpass[] = [];
  const consoles: SimulatedConsole[] = [];
  t.after(async () => {
    await Promise.all(running.map((instance) => instance.stop('SIGKILL')));
    await Promise.all(consoles.map((console) => console.stop()));
  });

  async function run(command: string, more: From & { input?: string } = {}): Promise<string> {
    const { code, stdout, stderr } = await runGastpass(command.split(' '), { ...options, ...more });
    assert.equal(code, 0, stderr);
    return stdout;
  }
  return {
    run,
    async start(from: From = {}): Promise<RunningGastpass> {
      const instance = await startGastpass({ ...options, ...from });
      running.push(instance);
      return instance;
    },
    /** Adds a site with its own console. */
    async addSite(from: From = {}): Promise<FleetSite> {
      const console = await startSimulatedConsole({ latencyMs: 20 });
      consoles.push(console);
      const { url, fingerprint256, apiKey: input } = console;
      const connection = `--controller unifi --url ${url} --fingerprint ${fingerprint256} --api-key-file -`;
      return {
        siteId: Number(await run(`sites add --name Haus ${connection}`, { ...from, input })),
        console,
      };
    },
    /** No server listens at its URL, so all notifications stay undelivered and can be counted. */
    addWebhook: (from: From) => run('webhooks add --url http://127.0.0.1:9/ --format generic', from),
    issueKey: async (from: From = {}) =>
      /gpk_\w+/.exec(await run('keys create --name Kasse --scope write', from))?.[0] ?? '',
  };
}

/** Lists and creates vouchers on these instances in turn, as a load balancer would, until it is stopped. */
export function startLoad(
  t: TestContext,
  instances: RunningGastpass[],
  { key, siteId, callerCount = 6 }: { key: string; siteId: number; callerCount?: number },
) {
  const promised: string[] = [];
  const failed: string[] = [];
  let [lists, isOver, rotation] = [0, false, instances];
  const callers = Array.from({ length: callerCount }, async (_, number) => {
    for (let turn = number; !isOver; turn++) {
      const instance = rotation[turn % rotation.length];
      assert.ok(instance);
      const body = turn % 3 === 0 ? undefined : { site_id: siteId, name: `Zimmer ${number}` };
      const path = body ? 'vouchers.php' : `vouchers.php?site_id=${siteId}`;
      const { status, json } = await callApi(instance, { key, path, body }).catch((error) => ({
        status: 0,
        json: { message: String(error.cause ?? error) },
      }));
      if (status === 201) promised.push(json.code);
      else if (status === 200) lists += 1;
      else failed.push(`${status} ${json.message}`);
    }
  });
  t.after(() => {
    isOver = true;
  });
  return {
    moveTo(others: RunningGastpass[]) {
      rotation = [...others];
    },
    /** Returns the codes of the vouchers. */
    async stop(): Promise<string[]> {
      isOver = true;
      await Promise.all(callers);
      t.diagnostic(`${promised.length} vouchers and ${lists} lists, ${failed.length} failures`);
      assert.deepEqual(failed, []);
      assert.ok(promised.length > 50 && lists > 20);
      return promised;
    },
  };
}
