// Tests how the bytes are read that printers send.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeReadReplies, toState } from './status-replies.ts';

const read = (...bytes: number[]) => makeReadReplies()(Uint8Array.from(bytes)).map(({ to }) => to);

test('the two kinds of replies are told apart, and what a printer sends unasked is skipped', () => {
  assert.deepEqual(read(0x12, 0x1e, 0x72), ['now', 'now', 'now']);
  assert.deepEqual(read(0x00, 0x0f), ['in-turn', 'in-turn']);
  assert.deepEqual(read(0x11, 0x13), []);
  // The last byte of an automatic status looks like a reply.
  assert.deepEqual(read(0x14, 0x00, 0x00, 0x0f, 0x12), ['now']);
  assert.deepEqual(read(...Buffer.from('SSH')), ['foreign', 'foreign', 'in-turn']);
});

test('an automatic status may come in pieces', () => {
  const readReplies = makeReadReplies();
  assert.deepEqual(readReplies(Uint8Array.of(0x14, 0x00)), []);
  assert.deepEqual(readReplies(Uint8Array.of(0x00, 0x00, 0x0c)), [{ to: 'in-turn', bits: 0x0c }]);
});

test('the state follows from the replies', () => {
  const stateOf = (printer: number, cause: number, paper: number) => toState({ printer, cause, paper }).state;
  assert.equal(stateOf(0x12, 0x12, 0x12), 'ready');
  assert.equal(stateOf(0x12, 0x12, 0x1e), 'ready');
  assert.equal(stateOf(0x1a, 0x16, 0x7e), 'cover-open');
  assert.equal(stateOf(0x1a, 0x32, 0x12), 'paper-out');
  assert.equal(stateOf(0x1a, 0x12, 0x72), 'paper-out');
  assert.equal(stateOf(0x1a, 0x52, 0x12), 'fault');
  assert.equal(stateOf(0x1a, 0x12, 0x12), 'fault');
  assert.equal(toState({}).state, 'ready');
  assert.equal(toState({ printer: 0x1a }).state, 'fault');
});
