// The ids of actors, beside the text that holds their kind and name.

export function actors(): string[] {
  return ['audit', 'intents', 'vouchers'].map((table) => `alter table ${table} add column actor_id text`);
}
