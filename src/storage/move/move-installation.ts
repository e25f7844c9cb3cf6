// Moves a whole installation from SQLite to PostgreSQL while no service runs on it.

import { systemClock } from '../../domain/clock.ts';
import { expectFile, openStorage, type Place } from '../open-storage.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { lockForService } from '../service-lock.ts';
import { type MovedTable, moveToPostgres, type OnProgress } from './move-to-postgres.ts';

const POOL_SIZE = 2;
const STATEMENT_TIMEOUT_MS = 600_000;

export async function moveInstallation(
  { dataDir, secret, previousSecret }: Place,
  url: string,
  onProgress: OnProgress,
): Promise<MovedTable[]> {
  expectFile(dataDir);
  using _lock = lockForService(dataDir);
  await using source = await openStorage({ dataDir, secret, previousSecret }, systemClock, 'expect');
  const options = { url, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const target = await openPostgres(options, { forMove: true });
  try {
    return await moveToPostgres(source.database, target, onProgress);
  } finally {
    await target.close();
  }
}
