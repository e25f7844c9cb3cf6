// The interface of an engine: a handle for reads, and transactions for writes. Queries normally take a handle as their
// first argument and run unchanged on both engines.

import type { Kysely, RawBuilder } from 'kysely';
import { isStorable, UnstorableText } from '../text/storable-text.ts';
import type { Tables } from './schema.ts';
import type { Migrated } from './schema-version.ts';

/** `finishes`: completes work that was already accepted. `begins`: starts new work, which may still be refused. */
export type Urgency = 'begins' | 'finishes';

/** A committed change of a cached list. The kernel adds which list it is. */
export interface ListChange {
  /** The list version after the change; undefined if the list does not exist any more. */
  version: number | undefined;
}

export type Handle = Kysely<Tables>;

export interface Database {
  /** For reads outside of a transaction: sees committed data only. */
  read: Handle;
  /**
   * Runs a job in a transaction. The changes are durable once the promise resolves; they are rolled back if the job
   * throws. On a busy PostgreSQL, jobs that finish work run before jobs that begin work. SQLite runs jobs in the
   * order of their arrival.
   */
  write<Value>(job: (transaction: Handle) => Promise<Value>, urgency?: Urgency): Promise<Value>;
  /**
   * Runs a statement that is a transaction of its own, in one round trip. Undefined on SQLite, where a statement
   * changes only one table and takes no round trip.
   */
  writeAtOnce?:
    | (<Value>(statement: (handle: Handle) => Promise<Value>, urgency?: Urgency) => Promise<Value>)
    | undefined;
  /**
   * A number that changes when another process commits, or when this process commits something that cached reads may
   * depend on; undefined on an engine without such a number. A value that was read under one stamp may be cached until
   * the stamp changes. Changes of the list versions by this process are reported to `onListChange` instead.
   */
  changeStamp(): number | undefined;
  /**
   * Call it when a request arrives, so that the change stamp takes account of everything that was committed before the
   * request. Absent on engines without a change stamp.
   */
  noteArrival?(): void;
  /** Calls `listener` at each commit of this process that changes a list, on an engine with a change stamp. */
  onListChange(listener: (change: ListChange) => void): void;
  /** The current time as an SQL expression, by the clock that all instances on this database share. */
  now(): RawBuilder<number>;
  /** A subquery with these ids. It has one parameter, however many ids there are. */
  listOf(ids: number[]): RawBuilder<number>;
  /**
   * Appended to a query in a transaction: locks the rows found, so that they cannot be changed or deleted until the
   * transaction ends. Rows that another transaction is changing or deleting are not found.
   */
  heldRows(): RawBuilder<unknown>;
  /**
   * Appended to a query in a transaction: waits for other transactions that have locked or changed the rows found, and
   * makes later ones wait until this transaction ends.
   */
  lockedRows(): RawBuilder<unknown>;
  /** Like `lockedRows`, and no other transaction can add rows that refer to the rows found. */
  closedRows(): RawBuilder<unknown>;
  /** Like `lockedRows`, but without waiting: rows that another transaction has locked are not found. */
  freeRows(): RawBuilder<unknown>;
  /** In a transaction: makes other transactions that hold the same name wait until this one ends. */
  holdName(transaction: Handle, name: string): Promise<void>;
  /**
   * In a transaction: makes the database write some kB to its disk before the commit, so that the call fails if the
   * disk is full. A rollback of the transaction leaves nothing of this write.
   */
  needDisk(transaction: Handle): Promise<void>;
  /**
   * Throws if the database is known to be damaged, because vouchers ordered now could perhaps not be recorded. The
   * first call checks all pages of a small SQLite file.
   */
  needIntact?(): void;
  /**
   * Resolves with the error if changes that can be read may not be on the disk, and no later sync can bring them there.
   * From then on, every write fails. The process should end.
   */
  whenLost?: Promise<Error>;
  /**
   * Resolves when everything that this process has committed is on the disk, and rejects after a failed sync. Absent on
   * engines whose reads see only such data. Call it before sending a response that promises what was read.
   */
  untilDurable?(): Promise<void>;
  /** What was migrated when the database was opened; undefined if its schema was up to date. */
  migrated?: Migrated | undefined;
  close(): Promise<void>;
}

/** Refuses text that an engine would change. Both engines call it for every text, so that they behave alike. */
export function toStoredText(text: string): string {
  if (!isStorable(text)) throw new UnstorableText();
  return text;
}

/** A value that is determined when the query runs, not when it is built. */
export class BoundAtRun {
  readonly read: () => number;
  constructor(read: () => number) {
    this.read = read;
  }
}
