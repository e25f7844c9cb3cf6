// Opens an installation for a move from another tool. The service may be running.

import { systemClock } from '../../domain/clock.ts';
import type { MoveIn } from '../../domain/move-in/move-in-store.ts';
import { openStorage, type Place } from '../open-storage.ts';
import { makeMoveIn } from './move-in.ts';

export async function moveIntoInstallation(place: Place, input: Parameters<MoveIn>[0]): ReturnType<MoveIn> {
  const { database, seal } = await openStorage(place, systemClock, 'expect');
  try {
    return await makeMoveIn(database, seal)(input);
  } finally {
    await database.close();
  }
}
