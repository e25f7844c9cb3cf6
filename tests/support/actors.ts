// Actors for audit entries that tests create.

import { type Actor, readActor } from '../../src/kernel/audit/actor.ts';

/** Parses the stored form of an actor, for example `API: Theke`. */
export const actorOf = (text: string): Actor => readActor(text, null);

/** The actor of changes that a test makes directly. */
export const TESTER = actorOf('CLI: test');
