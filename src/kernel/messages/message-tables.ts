// The tables of the queue of messages.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface MessageTables {
  messages: {
    id: Generated<number>;
    channel: string;
    recipient_id: number;
    event_id: string;
    kind: string;
    /** JSON. */
    payload: string;
    state: string;
    attempts: Generated<number>;
    /** The earliest time of the next attempt, if only this message has to wait. */
    due_at_ms: Generated<number>;
    /** When the pause until `due_at_ms` began. */
    paused_at_ms: Generated<number | null>;
    occurred_at_ms: number;
    /** Null while the message is queued. */
    finished_at_ms: number | null;
    /** The message that this message was merged into. The id stays if this message is sent again. */
    merged_into: number | null;
    /** Set while the message waits for the voucher of this intent. */
    intent_id: number | null;
    voucher_id: number | null;
    /** Sealed JSON, such as the address of a mail; null if the message has none. */
    sealed_payload: Generated<string | null>;
    /** Who ordered the message, if the number of messages per hour is limited. */
    ordered_by: Generated<string | null>;
    /** When a user read that the message failed. */
    seen_at_ms: Generated<number | null>;
  };
  message_attempts: {
    id: Generated<number>;
    message_id: number;
    at_ms: number;
    duration_ms: number;
    status: number | null;
    error: string | null;
    /** The beginning of the response to a failed attempt. */
    answer: string | null;
  };
  /** The failures and pauses of recipients that have no table of their own. */
  message_recipients: {
    channel: string;
    recipient_id: number;
    /** The number of consecutive failed attempts. */
    failures: number;
    /** The earliest time of the next attempt. */
    due_at_ms: number;
    paused_at_ms: Generated<number | null>;
  };
}

export const tables = {
  messages: {
    key: ['id'],
    isLast: true,
    personal: {
      payload: 'erased',
      ordered_by: 'erased',
      channel: 'other',
      event_id: 'other',
      kind: 'other',
      state: 'other',
    },
    sealed: { sealed_payload: { key: 'event_id', personal: 'row' } },
  },
  message_attempts: { key: ['id'], isLast: true, personal: { error: 'erased', answer: 'erased' } },
  message_recipients: { key: ['channel', 'recipient_id'], personal: { channel: 'other' } },
} satisfies Declarations<MessageTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends MessageTables {}
}
