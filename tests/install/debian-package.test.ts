// Tests the Debian packages: lintian finds nothing, and in a clean Debian they can be installed, used, upgraded,
// removed and purged. systemd does not run there, so the test starts the service as the unit does.

import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseEnv } from 'node:util';
import { findFreePort } from '../support/postgres-server.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { takeFirstSteps } from './first-steps.ts';
import { inDist, PATH, run, startService, version } from './packed.ts';

const MAX_EXPOSURE = 2.5;
const MAX_BYTES = 7_500_000;
const [gastpass = '', node = ''] = ['gastpass_*_all.deb', 'gastpass-node_*.deb'].map(
  (pattern) => globSync(inDist(pattern))[0],
);
const { folder, remove } = makeFolder();
after(remove);
const here = { cwd: folder, env: { PATH: `${PATH}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8' } };

test('lintian finds nothing in the packages', () => {
  for (const file of [gastpass, node]) {
    const words = ['lintian', '--allow-root', '--fail-on', 'error,warning', file];
    const { status, stdout, stderr } = run(words, here);
    assert.deepEqual([status, stdout], [0, ''], stderr);
  }
});

test('the package is small, and its unit is rated as the one in deploy/', () => {
  assert.ok(statSync(gastpass).size <= MAX_BYTES, `${statSync(gastpass).size} bytes`);
  const unpacked = join(folder, 'unpacked');
  run(['dpkg-deb', '--extract', gastpass, unpacked], here);
  for (const unit of ['gastpass.service', 'gastpass@.service']) {
    const file = join(unpacked, 'usr/lib/systemd/system', unit);
    const words = ['systemd-analyze', 'security', '--offline=true', '--no-pager', file];
    const { stdout, stderr } = run(words, here);
    assert.ok(Number(/exposure level for .*: ([\d.]+) /.exec(stdout)?.[1]) <= MAX_EXPOSURE, stdout + stderr);
    const text = readFileSync(file, 'utf8');
    assert.match(text, /^ExecStart=.*\/usr\/lib\/gastpass\/bin\/gastpass serve$/m);
    assert.doesNotMatch(text, /\/opt\//);
  }
  const documents = join(unpacked, 'usr/share/doc/gastpass');
  const links = globSync('*.md', { cwd: documents }).flatMap((name) =>
    Array.from(readFileSync(join(documents, name), 'utf8').matchAll(/\]\(([^)]*deploy\/[^)]+)\)/g)),
  );
  assert.ok(links.length > 5, 'the documents link the files of deploy/');
  for (const [, path = ''] of links) assert.ok(existsSync(join(documents, path)), path);
});

describe('in a clean Debian', () => {
  const system = join(folder, 'debian');
  const inside = (path: string) => join(system, path);
  const chroot = (...words: string[]) =>
    run(['chroot', system, 'env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', ...words], here);
  const succeed = (...words: string[]) => {
    const { status, stdout, stderr } = chroot(...words);
    assert.equal(status, 0, `${words.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const apt = (...words: string[]) => succeed('apt-get', '--yes', '-o', 'Dpkg::Use-Pty=0', ...words);
  before(() => {
    // A tar archive of a clean Debian saves the minute that it takes to make one.
    const archive = process.env.TEST_DEBIAN_ROOT;
    mkdirSync(system);
    const made = archive
      ? run(['tar', '-xf', archive, '-C', system], here)
      : run(['mmdebstrap', '--quiet', '--variant=minbase', codename(), system], here);
    assert.equal(made.status, 0, made.stderr);
    // No service is started in it, whatever runs on this machine.
    for (const file of [gastpass, node]) copyFileSync(file, inside(`tmp/${basename(file)}`));
    writeFileSync(inside('usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  });
  const packages = [gastpass, node].map((file) => `/tmp/${basename(file)}`);

  test('it is installed with a user, private settings and a private data folder', () => {
    apt('install', ...packages);
    assert.match(succeed('getent', 'passwd', 'gastpass'), /:\/var\/lib\/gastpass:\/usr\/sbin\/nologin$/m);
    assert.equal(
      succeed('stat', '-c', '%a %U', '/var/lib/gastpass', '/etc/gastpass.env'),
      '700 gastpass\n600 root\n',
    );
    assert.equal(succeed('gastpass', 'version'), `${version}\n`);
    const wanted = lstatSync(inside('etc/systemd/system/multi-user.target.wants/gastpass.service'));
    assert.ok(wanted.isSymbolicLink(), 'the service starts with the system');
  });

  test('the first voucher, a page, the explorer of the API and a PDF work with the settings of the unit', async (t) => {
    const startedAtMs = performance.now();
    const service = await startAsUnit();
    writeFileSync(inside('tmp/password'), 'ein langes Passwort für Ada\n', { mode: 0o644 });
    const user = [
      '--email',
      'ada@example.org',
      '--name',
      'Ada',
      '--admin',
      '--password-file',
      '/tmp/password',
    ];
    succeed('gastpass', 'users', 'add', ...user);
    succeed('gastpass', 'sites', 'add', '--name', 'Demo', '--controller', 'simulator');
    const key =
      /gpk_\w+/.exec(succeed('gastpass', 'keys', 'create', '--name', 'Kasse', '--scope', 'write'))?.[0] ?? '';
    await takeFirstSteps({
      url: service.url,
      key,
      email: 'ada@example.org',
      password: 'ein langes Passwort für Ada',
    });
    t.diagnostic(`first steps in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
    assert.equal(await service.stop(), 0);
  });

  test('an upgrade keeps changed settings and the data', () => {
    const changed = `${readFileSync(inside('etc/gastpass.env'), 'utf8')}SYNC_INTERVAL_S=30\n`;
    writeFileSync(inside('etc/gastpass.env'), changed);
    const newer = join(folder, 'newer');
    run(['dpkg-deb', '--raw-extract', gastpass, newer], here);
    const control = readFileSync(join(newer, 'DEBIAN/control'), 'utf8');
    writeFileSync(join(newer, 'DEBIAN/control'), control.replace(/^Version: .*$/m, 'Version: 99.0-1'));
    run(['dpkg-deb', '--root-owner-group', '-Znone', '--build', newer, inside('tmp/newer.deb')], here);
    apt('install', '/tmp/newer.deb');
    assert.match(succeed('dpkg-query', '--status', 'gastpass'), /^Version: 99\.0-1$/m);
    assert.equal(readFileSync(inside('etc/gastpass.env'), 'utf8'), changed);
    assert.match(succeed('gastpass', 'keys', 'list'), /Kasse/);
  });

  test('a removal keeps settings and data, a purge deletes them', () => {
    apt('remove', 'gastpass');
    assert.deepEqual(
      [
        'usr/lib/gastpass/lib',
        'usr/bin/gastpass',
        'etc/gastpass.env',
        'var/lib/gastpass/gastpass.sqlite',
      ].map((path) => existsSync(inside(path))),
      [false, false, true, true],
    );
    // The script is run by itself, because after a purge nothing could purge again.
    const postrm = () => chroot('sh', '/var/lib/dpkg/info/gastpass.postrm', 'purge');
    const backups = inside('srv/backups');
    mkdirSync(backups);
    succeed('chown', 'gastpass:gastpass', '/srv/backups');
    const { status, stderr } = postrm();
    assert.equal(status, 0, stderr);
    assert.match(
      stderr,
      /^The user gastpass stays: .*\nThese are still there:\n\/srv\/backups\nWhen you have deleted/m,
    );
    assert.equal(chroot('getent', 'passwd', 'gastpass').status, 0);
    rmSync(backups, { recursive: true });
    apt('purge', 'gastpass', 'gastpass-node');
    assert.deepEqual(globSync(inside('{etc,usr,var}/**/*gastpass*')), []);
    assert.notEqual(chroot('getent', 'passwd', 'gastpass').status, 0);
    rmSync(system, { recursive: true, force: true });
  });

  /** Does what systemd does with the unit: user, settings and command. */
  async function startAsUnit() {
    const unit = readFileSync(inside('usr/lib/systemd/system/gastpass.service'), 'utf8');
    const unitValue = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const settings = parseEnv(readFileSync(inside(unitValue('EnvironmentFile')), 'utf8'));
    const variables = Object.entries({ ...settings, PORT: String(await findFreePort()) });
    const user = `--userspec=${unitValue('User')}:${unitValue('Group')}`;
    const words = variables.map(([name, value]) => `${name}=${value}`);
    const command = unitValue('ExecStart').split(' ');
    return startService(
      ['chroot', user, system, 'env', '-i', 'PATH=/usr/bin:/bin', ...words, ...command],
      here,
    );
  }
});

function codename(): string {
  return /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
}
