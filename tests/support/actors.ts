// Actors of tests.

import { type Actor, readActor } from '../../src/domain/audit/actor.ts';

/** By the text that is stored and sent: `API: Theke`. */
export const actorOf = (text: string): Actor => readActor(text, null);

/** For changes that a test makes directly. */
export const TESTER = actorOf('CLI: test');
