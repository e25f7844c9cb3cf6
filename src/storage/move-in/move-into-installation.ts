// Opens an installation for a move from another tool. The service may be running.

import { systemClock } from '../../domain/clock.ts';
import type { MoveIn } from '../../domain/move-in/move-in-store.ts';
import { openStorage, type Place } from '../open-storage.ts';
import { makeMoveIn } from './move-in.ts';

const NO_TIMEOUT = 0;

export async function moveIntoInstallation(place: Place, input: Parameters<MoveIn>[0]): ReturnType<MoveIn> {
  await using storage = await openStorage(withoutTimeout(place), systemClock, 'expect');
  return await makeMoveIn(storage.database, storage.seal)(input);
}

/** For PostgreSQL: one statement may renumber a large audit log, or wait for the transactions of a running service. */
function withoutTimeout(place: Place): Place {
  return place.database
    ? { ...place, database: { ...place.database, statementTimeoutMs: NO_TIMEOUT } }
    : place;
}
