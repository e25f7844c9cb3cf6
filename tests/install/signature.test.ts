// The checksums of a release are signed and checked as docs/releases.md says, here with a key made for the test.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { makeFolder } from '../support/run-gastpass.ts';
import { inDist, PATH, root, run, tarball } from './packed.ts';

const { folder, remove } = makeFolder();
after(remove);

const guide = readFileSync(join(root, 'docs/releases.md'), 'utf8');

test('the documented commands accept a signed release, and refuse changed checksums and packages', () => {
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  for (const path of [tarball, inDist('SHA256SUMS')]) copyFileSync(path, join(dist, basename(path)));
  shell(folder, "ssh-keygen -q -t ed25519 -N '' -f KEY");
  shell(folder, found(/`(ssh-keygen -Y sign [^`]+)`/));
  const signer = found(/line that begins with `([^`]+)`/);
  writeFileSync(join(dist, 'allowed_signers'), `${signer} ${readFileSync(join(folder, 'KEY.pub'), 'utf8')}`);

  const [verify = '', check = ''] = found(/^## Check[\s\S]*?```sh\n([\s\S]*?)\n```/m).split('\n');
  assert.match(shell(dist, verify), /Good "gastpass" signature/);
  assert.match(shell(dist, check), new RegExp(`^${basename(tarball)}: OK$`, 'm'));

  writeFileSync(join(dist, basename(tarball)), 'another package');
  assert.throws(() => shell(dist, check));
  writeFileSync(join(dist, 'SHA256SUMS'), 'other checksums');
  assert.throws(() => shell(dist, verify));
});

const found = (pattern: RegExp) => pattern.exec(guide)?.[1] ?? assert.fail(`${pattern} is not in the guide`);

function shell(cwd: string, command: string): string {
  const { status, stdout, stderr } = run(['sh', '-c', command], { cwd, env: { PATH } });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}
