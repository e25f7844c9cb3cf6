// Which Chromium the tests take: the one that is named, else the first of the system's.

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

test('CHROME_PATH comes first', () => {
  assert.equal(findChromium({ CHROME_PATH: named, PATH: bin }), named);
});

test('without it the system’s Chromium is taken', () => {
  assert.equal(findChromium({ PATH: `${folder}/nothing:${bin}` }), join(bin, 'chromium'));
  assert.equal(findChromium({ CHROME_PATH: '', PATH: bin }), join(bin, 'chromium'));
});

test('a CHROME_PATH that leads nowhere is told in one line, not passed over', () => {
  assert.throws(
    () => findChromium({ CHROME_PATH: `${folder}/gone`, PATH: bin }),
    /^Error: CHROME_PATH names .*\/gone, which is not there\.$/,
  );
});
