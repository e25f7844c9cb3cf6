// Sends requests with one rate-limited key to all instances at once. Each round has its own rate window.

import { keyIdOf } from '../../src/kernel/keys/api-key.ts';
import type { Fleet } from './fleet.ts';

export const LIMIT = 50;

/** Returns the number of responses by status, for each round. */
export async function runSharedLimit(
  fleet: Fleet,
  { rounds, atOnce }: { rounds: number; atOnce: number },
): Promise<Record<string, number>[]> {
  const key = await fleet.issueKey('read', LIMIT);
  const headers = { authorization: `Bearer ${key}` };
  const tallies: Record<string, number>[] = [];
  for (let round = 0; round < rounds; round++) {
    // As if a minute had passed since the last round.
    await fleet.database.rows(
      'update rate_windows set started_at_ms = started_at_ms - 60000 where api_key_id = $1',
      keyIdOf(key),
    );
    const tally: Record<string, number> = {};
    const ask = async (number: number) => {
      const instance = fleet.instances[number % fleet.instances.length];
      const response = await fetch(`${instance?.url}/api/sites.php`, { headers });
      await response.text();
      tally[response.status] = (tally[response.status] ?? 0) + 1;
    };
    await Promise.all(Array.from({ length: atOnce }, (_, number) => ask(number)));
    tallies.push(tally);
  }
  return tallies;
}
