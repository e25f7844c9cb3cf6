// SQL that stores deliveries as a test needs them, for tests that run statements on the database of a service.

interface DeliveryRow {
  id?: number;
  webhook: number | string;
  event?: string;
  kind?: string;
  vouchers?: number;
  site?: string;
  source?: string;
  /** What a notification of this kind has besides. */
  details?: object;
  occurredAtMs?: number | string;
  state?: string;
  attempts?: number;
  finishedAtMs?: number | string | null;
  mergedInto?: number | null;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Texts for `webhook` and the times are SQL expressions. */
export function insertDelivery(row: DeliveryRow): string {
  const payload = {
    voucherCount: row.vouchers ?? 1,
    siteName: row.site ?? 'Haus A',
    source: row.source ?? 'API: Theke',
    ...row.details,
  };
  const columns = {
    ...(row.id !== undefined && { id: row.id }),
    channel: quoted('webhook'),
    recipient_id: row.webhook,
    event_id: quoted(row.event ?? 'e'),
    kind: quoted(row.kind ?? 'voucher.created'),
    payload: quoted(JSON.stringify(payload)),
    state: quoted(row.state ?? 'waiting'),
    attempts: row.attempts ?? 0,
    occurred_at_ms: row.occurredAtMs ?? 1,
    finished_at_ms: row.finishedAtMs ?? 'null',
    merged_into: row.mergedInto ?? 'null',
  };
  return `insert into messages (${Object.keys(columns).join(', ')}) values (${Object.values(columns).join(', ')})`;
}
