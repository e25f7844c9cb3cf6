// What every engine offers to the queries: a handle to read with, and transactions to write in.
// Queries take a handle as their first argument and run alike on each engine.

import type { Kysely, RawBuilder } from 'kysely';
import type { Tables } from './schema.ts';

/** Somebody was promised what finishes; what begins may still be refused. */
export type Urgency = 'begins' | 'finishes';

export type Handle = Kysely<Tables>;

export interface Database {
  /** Sees committed data only. */
  read: Handle;
  /**
   * Runs a job in a transaction; durable once the promise resolves, undone when the job throws. On a busy
   * database a job that finishes something goes before those that begin something new.
   */
  write<Value>(job: (transaction: Handle) => Promise<Value>, who?: Urgency): Promise<Value>;
  /**
   * A number that changes whenever anybody, in this process or another, commits a change; undefined
   * where the engine has no such thing. What was read under one stamp may be kept while it holds.
   */
  changeStamp(): number | undefined;
  /** Now, in SQL, by the clock that all instances on this database share. */
  now(): RawBuilder<number>;
  close(): Promise<void>;
}
