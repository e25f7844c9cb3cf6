// One queue of messages for all channels. The deliveries to webhooks move there.
//
// On PostgreSQL, instances of an earlier release may still be running. They use views with the names and columns of the
// previous tables, which read and change the new tables. The release after this one removes the views.

import type { SqlDialect } from './migration.ts';

export function messages({ rowId, integer, tableEnd, isShared }: SqlDialect): string[] {
  return [
    `create table messages (
      id ${rowId},
      channel text not null,
      recipient_id ${integer} not null,
      event_id text not null,
      kind text not null,
      payload text not null,
      state text not null,
      attempts ${integer} not null default 0,
      due_at_ms ${integer} not null default 0,
      occurred_at_ms ${integer} not null,
      finished_at_ms ${integer},
      merged_into ${integer},
      intent_id ${integer} references intents (id) on delete cascade,
      voucher_id ${integer} references vouchers (id) on delete cascade
    ) ${tableEnd}`,

    `create table message_attempts (
      id ${rowId},
      message_id ${integer} not null ${isShared ? '' : ATTEMPT_OF_MESSAGE},
      at_ms ${integer} not null,
      duration_ms ${integer} not null,
      status ${integer},
      error text,
      answer text
    ) ${tableEnd}`,

    // Recipients that have no table of their own. A recipient without a row has no failures and no pause.
    `create table message_recipients (
      channel text not null,
      recipient_id ${integer} not null,
      failures ${integer} not null,
      due_at_ms ${integer} not null,
      primary key (channel, recipient_id)
    ) ${tableEnd}`,

    ...(isShared ? copiedOnPostgres : copiedOnSqlite),
    // Indexes and foreign keys are added after the rows. This makes the migration, for which instances wait, faster.
    'create index messages_of_recipient on messages (channel, recipient_id, id)',
    // The queue, without the finished messages. Created after messages_of_recipient, because SQLite uses the newer
    // index if two indexes fit.
    `create index messages_queue on messages (channel, recipient_id, id) where state in ('waiting', 'sending')`,
    'create index messages_age on messages (finished_at_ms) where finished_at_ms is not null',
    'create index messages_of_intent on messages (intent_id) where intent_id is not null',
    'create index messages_of_voucher on messages (voucher_id) where voucher_id is not null',
    'create index message_attempts_of_message on message_attempts (message_id, id)',
    ...(isShared ? replacedOnPostgres : replacedOnSqlite),
  ];
}

const ATTEMPT_OF_MESSAGE = 'references messages (id) on delete cascade';

const toState = (previous: string) =>
  `case ${previous} when 'waiting' then 'waiting' when 'delivered' then 'done' else 'failed' end`;

const COLUMNS =
  '(id, channel, recipient_id, event_id, kind, payload, state, attempts, occurred_at_ms, finished_at_ms)';

const copiedAttempts = `insert into message_attempts (id, message_id, at_ms, duration_ms, status, error, answer)
  select id, delivery_id, at_ms, duration_ms, status, error, answer from delivery_tries`;

const copiedOnSqlite = [
  `insert into messages ${COLUMNS}
    select id, 'webhook', webhook_id, event_id, kind,
      json_patch(coalesce(details, '{}'),
        json_object('voucherCount', voucher_count, 'siteName', site_name, 'source', source)),
      ${toState('coalesce(event_state, state)')}, tries, occurred_at_ms, finished_at_ms
    from deliveries`,
  copiedAttempts,
];

const replacedOnSqlite = [
  // Ids of deleted deliveries must not be assigned again.
  `delete from sqlite_sequence where name = 'messages'`,
  `insert into sqlite_sequence (name, seq) select 'messages', seq from sqlite_sequence where name = 'deliveries'`,
  'drop table delivery_tries',
  'drop table deliveries',
  `create trigger messages_of_removed_webhook after delete on webhooks begin
    delete from messages where channel = 'webhook' and recipient_id = old.id; end`,
  `create trigger message_needs_webhook before insert on messages
    when new.channel = 'webhook' and not exists (select 1 from webhooks where id = new.recipient_id)
    begin select raise(ignore); end`,
];

/** The payload of a delivery. `row` is the prefix of its columns, such as `new.`. */
const toPayload = (
  row = '',
) => `(coalesce(${row}details, '{}')::jsonb || jsonb_build_object('voucherCount', ${row}voucher_count,
  'siteName', ${row}site_name, 'source', ${row}source))::text`;

/** The earlier release stores the state of the two oldest kinds in `state`, and of all others in `event_state`. */
const isFirstKind = `kind in ('voucher.created', 'webhook.test')`;
const previousState = `case when state in ('waiting', 'sending') then 'waiting'
  when state in ('done', 'merged') then 'delivered' else 'given-up' end`;
const shownState = `case when ${isFirstKind} then ${previousState} else 'given-up' end`;
const shownEventState = `case when not ${isFirstKind} then ${previousState} end`;

const copiedOnPostgres = [
  'lock table webhooks, deliveries, delivery_tries in access exclusive mode',
  `insert into messages ${COLUMNS}
    select id, 'webhook', webhook_id, event_id, kind, ${toPayload()}, ${toState('coalesce(event_state, state)')}, tries,
      occurred_at_ms, finished_at_ms
    from deliveries`,
  copiedAttempts,
];

const replacedOnPostgres = [
  `alter table message_attempts add foreign key (message_id) ${ATTEMPT_OF_MESSAGE}`,
  ...[
    ['messages', 'deliveries'],
    ['message_attempts', 'delivery_tries'],
  ].map(
    ([table, previous]) =>
      `select setval(pg_get_serial_sequence('${table}', 'id'), nextval(pg_get_serial_sequence('${previous}', 'id')))`,
  ),
  'drop table delivery_tries',
  'drop table deliveries',
  `create function delete_messages_of_webhook() returns trigger language plpgsql as $$ begin
    delete from messages where channel = 'webhook' and recipient_id = old.id;
    return null;
  end $$`,
  `create trigger messages_of_removed_webhook after delete on webhooks
    for each row execute function delete_messages_of_webhook()`,
  // Like a foreign key, this keeps a webhook from being removed while a message to it is written.
  `create function hold_webhook_of_message() returns trigger language plpgsql as $$ begin
    perform 1 from webhooks where id = new.recipient_id for key share;
    return case when found then new end;
  end $$`,
  `create trigger message_needs_webhook before insert on messages
    for each row when (new.channel = 'webhook') execute function hold_webhook_of_message()`,

  `create view deliveries as select id, recipient_id as webhook_id, event_id, kind,
      (facts ->> 'voucherCount')::bigint as voucher_count, facts ->> 'siteName' as site_name,
      facts ->> 'source' as source, occurred_at_ms,
      ${shownState} as state, attempts as tries, finished_at_ms,
      case when not ${isFirstKind} then payload end as details,
      ${shownEventState} as event_state
    from (select *, payload::jsonb as facts from messages where channel = 'webhook') as sent`,
  // The index for the query with which the earlier release finds waiting deliveries.
  `create index messages_of_earlier_release on messages (recipient_id, id)
    where channel = 'webhook' and coalesce(${shownEventState}, ${shownState}) = 'waiting'`,
  `create function change_delivery() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      -- Not if it was just sent again.
      delete from messages where id = old.id and finished_at_ms is not distinct from old.finished_at_ms;
      return case when found then old end;
    elsif tg_op = 'INSERT' then
      insert into messages (channel, recipient_id, event_id, kind, payload, state, attempts, occurred_at_ms, finished_at_ms)
      values ('webhook', new.webhook_id, new.event_id, new.kind, ${toPayload('new.')},
        ${toState('coalesce(new.event_state, new.state)')}, coalesce(new.tries, 0), new.occurred_at_ms, new.finished_at_ms)
      returning id into new.id;
      return new;
    end if;
    -- Of two instances that have read the same row, only one changes it.
    update messages set attempts = new.tries, finished_at_ms = new.finished_at_ms,
      state = ${toState('coalesce(new.event_state, new.state)')}
    where id = old.id and attempts = old.tries and ${previousState} = coalesce(old.event_state, old.state);
    return case when found then new end;
  end $$`,
  `create trigger change_delivery instead of insert or update or delete on deliveries
    for each row execute function change_delivery()`,
  `create view delivery_tries as
    select id, message_id as delivery_id, at_ms, duration_ms, status, error, answer from message_attempts`,
];
