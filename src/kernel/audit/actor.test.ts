// Tests of the text of an actor: it is read back as the same actor.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Actor, CONTROLLER, readActor, serviceActor, toActorText, userActor } from './actor.ts';

test('the text of an actor is read back as the same kind and name', () => {
  const actors: [text: string, actor: Actor][] = [
    ['Web: Anna', userActor({ id: 7, name: 'Anna' })],
    ['API: Kasse: 2', { kind: 'key', id: 'k1', name: 'Kasse: 2' }],
    ['API: Web: Anna', { kind: 'key', id: null, name: 'Web: Anna' }],
    ['Screen: Lobby', { kind: 'screen', id: '3', name: 'Lobby' }],
    ['CLI: root', { kind: 'command', id: null, name: 'root' }],
    ['Controller', CONTROLLER],
    ['Set-up', serviceActor('Set-up')],
  ];
  for (const [text, actor] of actors) {
    assert.equal(toActorText(actor), text);
    assert.deepEqual(readActor(text, actor.id), actor);
  }
});
