// Rows as a newer release might write them: every column with a closed set of values gets one that this release does
// not know.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deriveKey, encrypt } from '../../src/platform/secrets/seal-cipher.ts';
import { TESTER } from './actors.ts';
import { insertDelivery } from './delivery-rows.ts';
import { engine } from './engine.ts';
import { FUTURE_VALUES } from './future-values.ts';
import type { TestService } from './test-service.ts';

/** The secret of the service whose database gets the rows. */
export const FUTURE_SECRET = 'a secret of the tests, long enough';
export const FUTURE_URL = 'https://unifi.example.org';

/** The columns whose check constraints a newer release must have lifted. */
const CONSTRAINTS = {
  api_keys: ['scope'],
  users: ['role'],
  webhooks: ['format'],
  site_slips: ['wifi_security'],
  images: ['type'],
};

function liftConstraints({ change, config }: Pick<TestService, 'change' | 'config'>): void {
  if (engine === 'postgres') {
    for (const [table, columns] of Object.entries(CONSTRAINTS))
      for (const column of columns) change(`alter table ${table} drop constraint ${table}_${column}_check`);
    return;
  }
  // SQLite cannot drop a constraint, so the definitions of the tables are changed.
  const file = new DatabaseSync(join(config.dataDir, 'gastpass.sqlite'), {
    defensive: false,
    timeout: 5_000,
  });
  const version = Number(file.prepare('pragma schema_version').get()?.schema_version);
  file.exec('pragma writable_schema = on');
  for (const table of Object.keys(CONSTRAINTS)) {
    const sql = String(file.prepare('select sql from sqlite_schema where name = ?').get(table)?.sql);
    const lifted = sql.replaceAll(/ check \(\w+ in \([^)]*\)\)/g, '');
    file.prepare('update sqlite_schema set sql = ? where name = ?').run(lifted, table);
  }
  file.exec(`pragma schema_version = ${version + 1}`);
  file.close();
}

/** Seals a value as the service does. */
function seal(plain: unknown, place: [table: string, column: string, row: number]): string {
  const [table, column, row] = place;
  return encrypt(
    deriveKey(FUTURE_SECRET),
    JSON.stringify(plain),
    JSON.stringify([table, column, String(row)]),
  );
}

/** The site 1 and the webhook `known` are as this release knows them. */
export interface FutureRows {
  site: Record<'kind' | 'credentials' | 'trust', number>;
  webhook: Record<'known' | 'format' | 'platform' | 'secrets', number>;
  /** A key with a scope of the future. */
  key: string;
}

/** Writes the rows into the database of a service with the secret FUTURE_SECRET. */
export async function writeFutureRows(
  service: TestService,
  { owner, auditor }: { owner: number; auditor: number },
): Promise<FutureRows> {
  const { beside, change, rows, clock } = service;
  const audit = { actor: TESTER, atMs: clock.nowMs() };
  const future = FUTURE_VALUES;
  const site = { kind: 0, credentials: 0, trust: 0 };
  const webhook = { known: 0, format: 0, platform: 0, secrets: 0 };
  liftConstraints(service);

  for (const name of ['kind', 'credentials', 'trust'] as const) {
    const connection = { url: FUTURE_URL, credentials: { apiKey: 'geheim' }, trust: { kind: 'ca' as const } };
    const added = {
      name: `Haus ${name}`,
      active: true,
      controllerKind: 'unifi' as const,
      controllerSite: name,
    };
    site[name] = await beside.sites.add({ ...added, connection }, audit);
  }
  change('update sites set controller_kind = ? where id = ?', future.sites.controller_kind, site.kind);
  change('update sites set tls_trust = ? where id = ?', future.sites.tls_trust, site.trust);
  const credentials = seal({ apiKey: 'geheim', realm: 'x' }, [
    'sites',
    'sealed_credentials',
    site.credentials,
  ]);
  change('update sites set sealed_credentials = ? where id = ?', credentials, site.credentials);
  change(
    "insert into site_syncs (site_id, failed_at_ms, error, cause, failing_since_ms, certificate_reported) values (1, 1, 'x', ?, 1, 0)",
    future.site_syncs.cause,
  );

  for (const name of ['known', 'format', 'platform', 'secrets'] as const) {
    const target = { url: `https://hooks.example.org/${name}`, format: 'generic' as const, platform: null };
    webhook[name] = await beside.webhooks.add(
      { ...target, name, secrets: { current: 'whsec_R0VIRUlN' } },
      audit,
    );
  }
  change('update webhooks set format = ? where id = ?', future.webhooks.format, webhook.format);
  change(
    "update webhooks set format = 'chat', platform = ? where id = ?",
    future.webhooks.platform,
    webhook.platform,
  );
  const secrets = seal({ ed25519: 'x' }, ['webhooks', 'sealed_secrets', webhook.secrets]);
  change('update webhooks set sealed_secrets = ? where id = ?', secrets, webhook.secrets);
  change('update webhooks set events = ? where id = ?', future.webhooks.events, webhook.known);

  const deliver = (
    webhookId: number,
    event: string,
    fields: Parameters<typeof insertDelivery>[0] | object = {},
  ) => change(insertDelivery({ webhook: webhookId, event, occurredAtMs: clock.nowMs(), ...fields }));
  deliver(webhook.known, 'kind', { kind: future.messages.kind });
  deliver(webhook.known, 'state', { state: future.messages.state });
  deliver(webhook.known, 'payload', { kind: 'site.recovered' });
  change("update messages set payload = ? where event_id = 'payload'", future.messages.payload);
  deliver(webhook.known, 'channel');
  change(
    'insert into message_recipients (channel, recipient_id, failures, due_at_ms) values (?, 1, 0, 0)',
    future.message_recipients.channel,
  );
  change("update messages set channel = ? where event_id = 'channel'", future.messages.channel);
  for (const name of ['format', 'platform', 'secrets'] as const) deliver(webhook[name], name);

  change(
    "insert into mail_server (id, host, port, tls, from_name, from_address) values (1, 'mail.example.org', 587, ?, '', 'wlan@example.org')",
    future.mail_server.tls,
  );
  change("insert into mail_texts values (1, ?, '', '', '')", future.mail_texts.language);
  change(
    `insert into printers (site_id, name, kind, paper, layout, copies, has_cutter, job_minutes, created_at_ms, state, state_at_ms)
      values (1, 'Rezeption', ?, 112, ?, 1, 1, 10, 0, ?, 0)`,
    ...[future.printers.kind, future.printers.layout, future.printers.state],
  );

  change(
    `insert into screens (site_id, name, kind, offers, profile_ids, asks, per_minute, per_day, idle_minutes, created_at_ms)
      values (1, 'Lobby', ?, ?, '', ?, 10, 200, 15, 0)`,
    ...[future.screens.kind, future.screens.offers, future.screens.asks],
  );
  change(
    `insert into stock (site_id, state, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, code, made_at_ms)
      values (1, ?, 'Reserve', 1, 480, 0, 0, 0, '0000000001', 0)`,
    future.stock.state,
  );
  change(
    `insert into guest_requests (site_id, name, host, note, language, token_hash, state, decided_by, created_at_ms, expires_at_ms)
      values (1, 'Anna', '', '', ?, 'h', ?, ?, ?, ?)`,
    ...[future.guest_requests.language, future.guest_requests.state, future.guest_requests.decided_by],
    ...[clock.nowMs(), clock.nowMs()],
  );

  const key = await service.issueKey('write', 0, 'Gäste');
  change("update api_keys set scope = ? where name = 'Gäste'", future.api_keys.scope);
  await service.issueKey('write', 0, 'Gruppe');
  change("update api_keys set site_ids = ? where name = 'Gruppe'", future.api_keys.site_ids);
  change('update users set role = ? where id = ?', future.users.role, auditor);
  change('insert into user_sites (user_id, site_id) values (?, 1)', auditor);
  change(
    "insert into user_grants (user_id, rule_ids, own_role, own_site_ids) values (?, '[]', ?, '[]')",
    auditor,
    future.user_grants.own_role,
  );

  await service.client.createVoucher({ site: 1, name: 'Zimmer 1' });
  await service.client.createVoucher({ site: 1, name: 'Zimmer 2' });
  change(
    `insert into screen_results (token_hash, screen_id, voucher_id, language, until_ms)
      select 'h', id, 1, ?, 0 from screens`,
    future.screen_results.language,
  );
  change(
    'update vouchers set source = ?, revoked_by = ? where id = 1',
    future.vouchers.source,
    future.vouchers.revoked_by,
  );
  change(
    "insert into batches (id, user_id, site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, wanted, ended_at_ms, problem, created_at_ms, cause) values ('b1', ?, ?, 'Tagung', 1, 60, 0, 0, 0, 5, 2, ?, 1, ?)",
    owner,
    site.kind,
    future.batches.problem,
    future.batches.cause,
  );
  change(
    "insert into bulk_revocations (id, user_id, address, site_ids, batch_id, only_unused, created_at_ms, ended_at_ms) values ('r1', ?, '', '1', null, 0, 1, 2)",
    owner,
  );
  change(
    "insert into bulk_revocation_vouchers (revocation_id, voucher_id, site_id, outcome, problem, cause) values ('r1', 1, 1, ?, 'x', ?)",
    future.bulk_revocation_vouchers.outcome,
    future.bulk_revocation_vouchers.cause,
  );
  change(
    "insert into intents (site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, source, purpose, created_at_ms) values (?, 'x', 1, 60, 0, 0, 0, ?, ?, 1)",
    site.kind,
    future.intents.source,
    future.intents.purpose,
  );
  const [test] = rows("select id from api_keys where name = 'Test'");
  change(
    "insert into idempotent_answers (api_key_id, idempotency_key, body_hash, answer, created_at_ms) values (?, 'zukunft', 'h', ?, ?)",
    String(test?.id),
    future.idempotent_answers.answer,
    clock.nowMs(),
  );
  change(
    "insert into outbox (event_id, voucher_count, site_name, source, created_at_ms) values ('o', 1, 'Demo', ?, 1)",
    future.outbox.source,
  );
  change(
    'insert into audit (at_ms, actor, action, subject, details) values (?, ?, ?, ?, ?)',
    clock.nowMs(),
    future.audit.actor,
    future.audit.action,
    'guest 5',
    future.audit.details,
  );
  change('insert into settings (name, value) values (?, ?)', future.settings.name, future.settings.value);
  change("delete from settings where name in ('house', 'scheduled_backups')");
  change(
    "insert into settings (name, value) values ('house', ?), ('scheduled_backups', '[{\"bucket\":\"s3\"}]')",
    future.settings.value,
  );
  change(
    "insert into site_slips (site_id, wifi_name, wifi_security, text, languages, steps, theme, colour) values (1, 'Gäste', ?, '', ?, ?, ?, ?)",
    future.site_slips.wifi_security,
    future.site_slips.languages,
    future.site_slips.steps,
    future.site_slips.theme,
    future.site_slips.colour,
  );
  change("insert into images (name, type, base64) values ('site-1', ?, 'AAAA')", future.images.type);
  change(
    "insert into single_sign_on (id, label, rules, hides_password_form, trusts_email) values (1, '', ?, 0, 0)",
    future.single_sign_on.rules,
  );
  change(
    "insert into instances (id, name, release, schema_version, started_at_ms, seen_at_ms) select 'later', 'web-9', ?, 99, 1, max(seen_at_ms) from instances",
    future.instances.release,
  );
  return { site, webhook, key };
}
