// The curl commands of docs/integrations.md: changing, cancelling and booking again with one booking number, and the
// script that draws a rolling code on e-paper.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { checkRebooking } from '../integrations/check-rebooking.ts';
import { addRolling, redeem } from '../rolling/ground.ts';
import { readPngBits } from '../support/read-png.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const PAGE = readFileSync(new URL('../../docs/integrations.md', import.meta.url), 'utf8');

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const run = promisify(execFile);

async function sh(command: string) {
  const env = { PATH: process.env.PATH, BASE: service.api, KEY: service.keyText };
  return JSON.parse((await run('sh', ['-ec', command], { env })).stdout);
}

/** The blocks of code in a section of the guide. */
function blocksOf(heading: string): string[] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, code = '']) => code);
}

test('book, find and revoke', async () => {
  const [book = '', find = '', revoke = ''] = blocksOf('curl');
  await checkRebooking(service, '4711', {
    async book(revision) {
      assert.match(book, /4711-r1/);
      const failed = (error: { stdout: string }) => JSON.parse(error.stdout);
      const reply = await sh(book.replace('4711-r1', `4711-r${revision}`)).catch(failed);
      return Object.hasOwn(reply, 'vouchers');
    },
    async cancel() {
      const { vouchers } = await sh(find);
      assert.equal(vouchers.length, 1);
      assert.match(revoke, /\/17\//);
      assert.equal((await sh(revoke.replace('/17/', `/${vouchers[0].id}/`))).status, 'revoked');
    },
  });
});

test('e-paper draws the rolling code only when it has changed, and again if drawing failed', async () => {
  service.change('update sites set imports_foreign = 0');
  const screen = addRolling(service);
  await screen.fill(2);
  const { folder, remove } = makeFolder();
  try {
    const [address = '', script = ''] = blocksOf('E-paper');
    const write = (text: string) => writeFileSync(join(folder, 'address'), text);
    write(address.replace('https://wifi.example.org/rolling/TOKEN', service.url + screen.path));
    const file = join(folder, 'script');
    writeFileSync(file, script.replace('cd /var/lib/gastpass-display', `cd ${folder}`));
    /** Prints what it draws, or fails. */
    const display = (result: string) =>
      writeFileSync(join(folder, 'draw-picture'), `#!/bin/sh\nbase64 "$1"\n${result}\n`, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}` };
    const draw = async () => Buffer.from((await run('sh', [file], { env })).stdout, 'base64');

    display('exit 1');
    await assert.rejects(draw(), { code: 1 });
    display('exit 0');
    const first = await draw();
    const { width, height } = readPngBits(first);
    assert.deepEqual([width, height], [800, 480]);
    assert.equal((await draw()).length, 0);
    assert.equal((await draw()).length, 0);

    await redeem(service, (await screen.look()).code);
    const second = await draw();
    assert.ok(second.length > 0 && !second.equals(first));
    assert.equal((await draw()).length, 0);

    // curl exits with 22 if the status is an error.
    service.change('delete from screens where id = ?', screen.id);
    await assert.rejects(draw(), { code: 22, stdout: '' });
  } finally {
    remove();
  }
});
