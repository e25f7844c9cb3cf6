// Tests shared reads: many callers share few reads, and no caller gets the result of a read that began before its call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSharedReads } from './shared-reads.ts';

function makeSubject() {
  const asked: { key: string; respond: (text: string) => void; fail: (error: Error) => void }[] = [];
  const read = makeSharedReads((key: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    asked.push({ key, respond: resolve, fail: reject });
    return promise;
  });
  return { asked, read };
}

test('all calls made during a read share one next read', async () => {
  const { asked, read } = makeSubject();
  const first = read('a');
  const later = [read('a'), read('a'), read('a')];
  assert.equal(asked.length, 1);
  asked[0]?.respond('old');
  assert.equal(await first, 'old');
  await new Promise(setImmediate);
  assert.equal(asked.length, 2);
  asked[1]?.respond('new');
  assert.deepEqual(await Promise.all(later), ['new', 'new', 'new']);
});

test('reads of different keys do not wait for each other', () => {
  const { asked, read } = makeSubject();
  void read('a');
  void read('b');
  assert.deepEqual(
    asked.map(({ key }) => key),
    ['a', 'b'],
  );
});

test('a failed read fails for its callers, and the next read still runs', async () => {
  const { asked, read } = makeSubject();
  const first = read('a');
  const second = read('a');
  asked[0]?.fail(new Error('gone'));
  await assert.rejects(first, /gone/);
  await new Promise(setImmediate);
  asked[1]?.respond('there');
  assert.equal(await second, 'there');
});

test('if no read is running, the next read starts at once', async () => {
  const { asked, read } = makeSubject();
  const first = read('a');
  asked[0]?.respond('one');
  await first;
  await new Promise(setImmediate);
  void read('a');
  assert.equal(asked.length, 2);
});

test('at most one read of a key runs at a time, whenever callers arrive', async () => {
  let [running, most] = [0, 0];
  const read = makeSharedReads(async (_key: string) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  });
  const all = [read('a'), read('a')];
  for (let step = 0; step < 50; step++) await Promise.resolve().then(() => void all.push(read('a')));
  await Promise.all(all);
  assert.equal(most, 1);
});
