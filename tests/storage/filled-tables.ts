// A SQLite file with rows in every table, and a way to compare the tables of two databases.

import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.ts';

/** Fills every table, and the table of vouchers with this many rows. */
export function fillTables(path: string, vouchers: number): void {
  const file = new DatabaseSync(path);
  file.exec(`
    insert into settings values ('set_up_at', '1'), ('secret_check', 'x');
    insert into users values (7, 'ä@example.org', 'Ä 😀', 'admin', 'hash', 1, 0);
    insert into sites (id, name, active, controller_kind, controller_site, created_at_ms, list_version)
      values (3, 'Haus "A"', 1, 'simulator', 'default', 1, 9007199254740991);
    insert into list_changes values (8, 3);
    insert into site_syncs values (3, 1, 2, 'away', 'failed', 2, 9, 1, 1);
    insert into controller_sessions values ('https://x admin', 'sealed');
    insert into api_keys values ('keyAAAAA', 'Theke', 'write', 0, 'hash', 1, 2, null, '1,3', 4, 'Notiz', '192.0.2.1');
    insert into rate_windows values ('keyAAAAA', 1, 2, 0);
    insert into user_sites values (7, 3);
    insert into web_sessions values ('hash', 7, 1, 2, '192.0.2.1', 'Browser', 1, 0);
    insert into sign_in_failures values ('account ä@example.org', 3, 1);
    insert into half_sign_ins values ('hash', 7, 1);
    insert into sent_forms values ('hash', 1);
    insert into invitations values (7, 'hash', 'digest', 1, 1);
    insert into reset_links values ('hash', 7, 'digest', 1);
    insert into second_factors values (7, 'sealed', 9, 1);
    insert into recovery_codes values (7, 'hash');
    insert into site_slips values (3, 'Gäste 😀', 'wpa', 'sealed', 'Willkommen', 'de en', 'Eins', null, '{"de":"Eins"}', 'strong', '#123456', 1);
    insert into images values ('site-3', 'image/png', 'AAAA');
    insert into profiles values (2, 'Tagung', 1, 2, 0, 0, 0, 3);
    insert into profile_sites values (2, 3);
    insert into batches values ('b-1', 7, 3, 'x', 1, 2, 0, 0, 0, 5, null, null, 1, 'away', 'r-2', 1700000000000, 1800000000, null, 'bk-1', 'ä', 2, 'sealed', 4, 1700000000000, 2, 'b-2'),
      ('b-2', null, 3, 'x', 1, 2, 0, 0, 0, 5, null, null, 1, null, null, null, null, 'keyAAAAA', null, null, null, null, null, null, null, null);
    insert into bulk_revocations values ('r-1', 7, '192.0.2.1', '3', 'b-1', 1, 1, null);
    insert into bulk_revocation_vouchers values ('r-1', 1, 3, 'failed', 'no answer', 'away');
    insert into intents values (41, 3, 'x', 1, 2, 0, 0, 0, 'API: Theke', 5, 7, 'b-1', 'key', 'request', 1800000000, 'bk-1', 'ä', 2, 'screen', 9, 2, 1700000000);
    insert into idempotent_answers values ('keyAAAAA', 'a', 'h', 41, null, 1, null, null),
      ('keyAAAAA', 'b', 'h', null, '{}', 1, 1, 'b-1');
    insert into outbox values (1, 'event', 1, 'Haus "A"', 'API: Theke', 1);
    insert into webhooks values (5, 'sealed', 'chat', 'slack', null, 0, 'gone', 3, 9007199254740991, 1, 'Kasse ä', 'site.recovered', 7);
    insert into messages values (8, 'webhook', 5, 'event', 'voucher.created', '{"siteName":"Haus \\"A\\""}', 'failed', 1, 0, 1, 2, null, 41, null, 'sealed', 'key keyAAAAA', 3, 7);
    insert into message_attempts values (13, 8, 1, 2, null, 'no answer', 'ä 😀');
    insert into message_recipients values ('mail', 1, 2, 9007199254740991, 7);
    insert into mail_server values (1, 'mail.example.org', 587, 'required', 'ä', 'sealed', 'PEM', 'Haus "A"', 'a@example.org', 100);
    insert into mail_texts values (3, 'de', 'Ihr WLAN', 'Guten Tag 😀', '');
    insert into mail_slots values (6, 1);
    insert into printers values (4, 3, 'Theke ä', 'epson', null, 'hash', 'sealed', 58, 'compact', 2, 0, 30, 1,
      'paper-out', 'Papier 😀', 2, 3, 4, 1, 9007199254740991, 7);
    insert into terms values (2, 9, 3, 'Sei nett 😀', 'hash', 1);
    insert into screens values (9, 3, 'Lobby ä', 'rolling', 'both', '2,5', 'name,room', 4, 10, 200, 15, 2, 1, 'pairing', 2,
      'cookie', 3, 'hash', 'sealed', 4, '192.0.2.1', 'Browser', 5, 1, 9007199254740991);
    insert into stock values (6, 3, 9, 'ready', 'Lobby', 1, 480, 0, 0, 0, '0000000009', 'stock-9', 1, 2);
    insert into site_reserves values (3, 20, 2);
    insert into request_pages values (3, 'hash', 'sealed', 'a@example.org');
    insert into guest_requests values (5, 3, 9, 'Ä 😀', 'Zimmer 1', '', 'de', 'hash', 'declined', 'voll', 1, 'Web: Anna', 2, 3, 'network', 4, 5, 6);
    insert into audit values (1, 1, 'CLI: ada', 'site.added', 'site 3 (Haus "A")', '192.0.2.1', null,
      '{"site":{"id":"3","name":"Haus \\"A\\""}}');
    insert into single_sign_on values (1, 'https://x', 'id', 'sealed', 'openid', 'X', '[]', 1, 0);
    insert into identities values (4, 'https://x', 'sub', 7, 'ä@example.org', 'Ä', 1), (6, 'https://x', 'b', null, '', '', 2);
    insert into external_sessions values ('hash', 'sealed', 'sealed', 1, 2);
    insert into user_grants values (7, '["a"]', 'operator', '[3]');
    insert into voucher_parts values ('abc', 0, 'AAA=');
    insert into leases values ('set-up', 'somebody', 1);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${vouchers})
      insert into vouchers (id, site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
        controller_voucher_id, used_count, created_at_s, first_used_at_s)
      select i, 3, printf('%010d', i), 'it''s ' || i, 1, 480, 0, 0, 0, 'id-' || i, i % 2, i, nullif(i % 2, 0) from n;
    insert into screen_results values ('hash', 9, 1, 'de', 1);
    insert into shown_codes values (1, 9007199254740991);
    insert into vouchers (id, site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
      used_count, created_at_s) values (9000, 3, '1', 'gone', 1, 1, 0, 0, 0, 0, 1);
    delete from vouchers where id = 9000;
    insert into guest_links values (1, 'hash', 'sealed', 1, 2);`);
  file.close();
}

export async function contentOf(database: Database, table: string): Promise<unknown[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
    database.read,
  );
  const texts = rows.map((row) => JSON.stringify(Object.entries(row).sort()));
  return texts.sort();
}
