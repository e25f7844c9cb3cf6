// Tests reads that are cached while the database reports no change, and the races that must not keep an outdated
// result.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeCachedRead } from '../../src/platform/database/cached-read.ts';
import { selectSetting, upsertSetting } from '../../src/platform/database/installation-queries.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeFolder } from '../support/run-gastpass.ts';

/** A fake database: the test sets its change stamp and its results, and it counts the reads. */
function makeScene(firstStamp: number | undefined) {
  const scene = {
    stamp: firstStamp,
    asked: 0,
    respond: async (key: string): Promise<string | undefined> => `${key} at ${scene.stamp}`,
  };
  const { read, replace } = makeCachedRead({ changeStamp: () => scene.stamp }, (key: string) => {
    scene.asked++;
    return scene.respond(key);
  });
  return { scene, read, replace };
}

describe('a cached read', () => {
  test('reads once per key while the stamp is unchanged', async () => {
    const { scene, read } = makeScene(1);
    for (const key of ['a', 'b', 'a', 'b', 'a']) assert.equal(await read(key), `${key} at 1`);
    assert.equal(scene.asked, 2);
  });

  test('reads again after any change of the stamp, up or down', async () => {
    const { scene, read } = makeScene(1);
    for (const stamp of [1, 2, 1]) {
      scene.stamp = stamp;
      assert.equal(await read('a'), `a at ${stamp}`);
    }
    assert.equal(scene.asked, 3);
  });

  test('reads every time if the engine has no change stamp', async () => {
    const { scene, read } = makeScene(undefined);
    await read('a');
    await read('a');
    assert.equal(scene.asked, 2);
  });

  test('the result of a read that began before a change is not cached after it', async () => {
    const { scene, read } = makeScene(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    scene.respond = () => promise;
    const slow = read('a');
    scene.stamp = 2;
    scene.respond = async (key) => `${key}, fresh`;
    assert.equal(await read('b'), 'b, fresh');
    resolve('a, old');
    assert.equal(await slow, 'a, old');
    assert.equal(await read('a'), 'a, fresh');
  });

  test('a replaced value is read no more, and an older read does not bring its value back', async () => {
    const { scene, read, replace } = makeScene(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    scene.respond = () => promise;
    const slow = read('a');
    replace('a', 'a, new');
    resolve('a, old');
    assert.equal(await slow, 'a, old');
    assert.equal(await read('a'), 'a, new');
    assert.equal(scene.asked, 1);
  });

  test('what is missing is not cached', async () => {
    const { scene, read } = makeScene(1);
    scene.respond = async () => undefined;
    await read('a');
    await read('a');
    assert.equal(scene.asked, 2);
  });

  test('a failed read is not cached', async () => {
    const { scene, read } = makeScene(1);
    scene.respond = () => Promise.reject(new Error('away'));
    await assert.rejects(read('a'), /away/);
    scene.respond = async () => 'back';
    assert.equal(await read('a'), 'back');
  });

  test('the number of cached results is bounded', async () => {
    const { scene, read } = makeScene(1);
    scene.respond = async () => 'x'.repeat(10);
    await read('first');
    for (let index = 0; index < 20_000; index++) await read(`key ${index}`);
    scene.asked = 0;
    await read('first');
    assert.equal(scene.asked, 1, 'the oldest result was evicted');
  });
});

describe('the change stamp of SQLite', () => {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'gastpass.sqlite');

  test('the stamp changes only after commits of this or another connection', async () => {
    const database = openSqlite(file);
    const stranger = new DatabaseSync(file);
    const stamps = [database.changeStamp()];
    await nextTurn();
    assert.equal(database.changeStamp(), stamps[0]);

    await database.write((transaction) => upsertSetting(transaction, 'last_probe', '1'));
    stamps.push(database.changeStamp());
    // Commits and requests that follow each other within microseconds.
    stranger.exec('pragma synchronous = off');
    for (let value = 2; value < 20; value++) {
      await nextTurn();
      stranger.prepare('update settings set value = ?').run(String(value));
      database.noteArrival?.();
      stamps.push(database.changeStamp());
    }
    assert.equal(new Set(stamps).size, 20);
    stranger.close();
    await database.close();
  });

  test('a write is visible to reads in the same turn of the event loop', async () => {
    const database = openSqlite(file);
    const { read } = makeCachedRead(database, () => selectSetting(database.read, 'last_probe'));
    const seen: (string | undefined)[] = [];
    for (const value of ['1', '2', '3']) {
      await database.write(async (transaction) => {
        await upsertSetting(transaction, 'last_probe', value);
        // Read before the commit: this result is outdated a moment later.
        await read('x');
      });
      seen.push(await read('x'));
    }
    assert.deepEqual(seen, ['1', '2', '3']);
    await database.close();
    remove();
  });
});
