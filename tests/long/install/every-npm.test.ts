// The first command of the README works with every common version of npm, for use and for development. Where it cannot
// work, one line says what is missing.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeFolder } from '../../support/run-gastpass.ts';
import { fetchToolchain, run, type Toolchain, VERSIONS } from './toolchains.ts';
import { copyProject, install, tryInstallation } from './try-installation.ts';

const { folder, remove } = makeFolder();
after(remove);

for (const versions of VERSIONS)
  test(`npm ${versions.npm} on Node ${versions.node} installs; the service starts and creates a voucher`, async () => {
    const tried = await tryInstallation(await fetchToolchain(folder, versions), folder);
    assert.equal(typeof tried.forDevelopment, 'number', String(tried.forDevelopment));
    assert.equal(typeof tried.forUse, 'number', String(tried.forUse));
    assert.deepEqual([tried.firstVoucher, tried.npx], ['201 with a code', 'ok']);
  });

for (const versions of VERSIONS)
  test(`npm ${versions.npm} accepts the lock file of the third-party clients`, async () => {
    const project = `${folder}/clients-${versions.npm}`;
    copyProject(project);
    const clients = `${project}/tests/long/clients`;
    const seconds = await install(await fetchToolchain(folder, versions), clients, ['--dry-run']);
    assert.equal(typeof seconds, 'number', String(seconds));
  });

describe('on a machine for which the packages contain no Node', () => {
  const project = `${folder}/without-node`;
  let toolchain: Toolchain;
  before(async () => {
    toolchain = await fetchToolchain(folder, { node: '18', npm: '9.2' });
    copyProject(project);
    assert.equal(typeof (await install(toolchain, project, ['--omit=dev', '--omit=optional'])), 'number');
  });

  test('one line says what is missing if the machine’s own Node is too old', async () => {
    const { output } = await toolchain.runNpm(project, ['start'], { timeoutMs: 60_000 });
    const said = output.split('\n').filter((line) => line !== '' && !line.startsWith('> '));
    assert.match(
      said[0] ?? '',
      /^gastpass needs Node 24 or newer, found v18\.\d+\.\d+\. .* put Node 24 or newer on the PATH/,
    );
    assert.equal(said.length, 1, output);
  });

  test('the machine’s own Node is used if it is new enough', async () => {
    const { env } = await fetchToolchain(folder, { node: '24', npm: 'latest' });
    const ran = await run([`${project}/bin/gastpass`, '--version'], { cwd: folder, env, timeoutMs: 60_000 });
    assert.match(ran.output, /^\d+\.\d+\.\d+\n$/);
  });
});

describe('an installation that belongs to another user', () => {
  const project = `${folder}/of-somebody-else`;
  const NOBODY = 65_534;
  const isRoot = process.getuid?.() === 0;
  let toolchain: Toolchain;
  before(async () => {
    toolchain = await fetchToolchain(folder, { node: '20', npm: '10.8' });
    copyProject(project);
    assert.equal(typeof (await install(toolchain, project, ['--omit=dev'])), 'number');
    // As root, the test switches to another user. Otherwise it removes its own write permission.
    const mode = isRoot ? 'a+rX' : 'a-w';
    for (const place of [folder, project])
      await run(['chmod', ...(place === project ? ['-R', mode] : ['a+rx']), place], {
        cwd: folder,
        env: toolchain.env,
        timeoutMs: 60_000,
      });
    await run(['mkdir', '-m', '777', `${folder}/home`], {
      cwd: folder,
      env: toolchain.env,
      timeoutMs: 60_000,
    });
  });
  after(() => run(['chmod', '-R', 'u+w', project], { cwd: folder, env: toolchain.env, timeoutMs: 60_000 }));

  const asOther = (words: string[], cwd: string) =>
    run(words, {
      cwd,
      env: { ...toolchain.env, HOME: `${folder}/home`, DATA_DIR: `${folder}/home/data` },
      timeoutMs: 60_000,
      ...(isRoot && { uid: NOBODY }),
    });

  test('can be used through bin/gastpass, from any folder', async () => {
    const made = await asOther([`${project}/bin/gastpass`, 'migrate'], '/');
    assert.equal(made.code, 0, made.output);
    const { code, output } = await asOther([`${project}/bin/gastpass`, 'keys', 'list'], '/');
    assert.deepEqual([code, output.slice(0, 11)], [0, 'No keys yet'], output);
  });

  test('can be used through npx', async () => {
    const { code, output } = await asOther(
      toolchain.command('exec', '--', 'gastpass', 'keys', 'list'),
      project,
    );
    assert.equal(code, 0, output);
    assert.match(output, /^No keys yet/m);
  });
});
