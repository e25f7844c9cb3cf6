// Which Chromium the tests use: the one that CHROME_PATH names, otherwise the first one installed on the system.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findChromium } from '../support/chromium.ts';
import { makeFolder } from '../support/run-gastpass.ts';

const { folder, remove } = makeFolder();
const named = join(folder, 'my-chrome');
const bin = join(folder, 'bin');

before(() => {
  mkdirSync(bin);
  for (const path of [named, join(bin, 'google-chrome'), join(bin, 'chromium')]) writeFileSync(path, '');
});
after(remove);

test('CHROME_PATH takes precedence', () => {
  assert.equal(findChromium({ CHROME_PATH: named, PATH: bin }), named);
});

test('without CHROME_PATH, the system’s Chromium is used', () => {
  assert.equal(findChromium({ PATH: `${folder}/nothing:${bin}` }), join(bin, 'chromium'));
  assert.equal(findChromium({ CHROME_PATH: '', PATH: bin }), join(bin, 'chromium'));
});

test('a CHROME_PATH that does not exist is reported in one line, not ignored', () => {
  assert.throws(
    () => findChromium({ CHROME_PATH: `${folder}/gone`, PATH: bin }),
    /^Error: CHROME_PATH names .*\/gone, which is not there\.$/,
  );
});
