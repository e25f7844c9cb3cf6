// Unused vouchers that are missing on the controller: which batch replaces them, and an index that finds those without
// a replacement. The batches of one replacement belong together.

export function lostVouchers(): string[] {
  return [
    'alter table vouchers add column replaced_by text',
    'alter table batches add column replacement_id text',
    // Vouchers without a known use that have ended, and that nobody has revoked or replaced.
    `create index vouchers_lost on vouchers (site_id, ended_at_s)
      where ended_at_s is not null and revoked_at_s is null and first_used_at_s is null and replaced_by is null`,
    'create index vouchers_replaced on vouchers (replaced_by) where replaced_by is not null',
    'create index batches_of_replacement on batches (replacement_id) where replacement_id is not null',
  ];
}
