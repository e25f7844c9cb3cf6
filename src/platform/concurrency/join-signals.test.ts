// Tests joined signals: they abort with the first source, and disposing of them removes their listeners.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { joinSignals } from './join-signals.ts';

test('the joined signal aborts with the first source and has its reason', () => {
  for (const which of [0, 1]) {
    const sources = [new AbortController(), new AbortController()] as const;
    using joined = joinSignals(sources[0].signal, sources[1].signal);
    assert.equal(joined.signal.aborted, false);
    sources[which]?.abort('enough');
    assert.equal(joined.signal.aborted, true);
    assert.equal(joined.signal.reason, 'enough');
  }
});

test('a source that is already aborted aborts the joined signal at once', () => {
  using joined = joinSignals(new AbortController().signal, AbortSignal.abort('before'));
  assert.equal(joined.signal.reason, 'before');
});

test('disposing of the joined signal removes its listeners from the sources', () => {
  const { signal } = new AbortController();
  for (let times = 0; times < 3; times++) {
    using joined = joinSignals(signal, new AbortController().signal);
    assert.equal(joined.signal.aborted, false);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
  }
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
