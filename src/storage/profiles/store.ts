// The store for profiles.

import type { ProfileStore } from '../../domain/profiles/profile.ts';
import { audited } from '../audit/audited.ts';
import type { Database } from '../database.ts';
import { deleteProfile, insertProfile, selectProfiles, updateProfile } from './queries.ts';

const profileDetails = (id: number, name: string) => ({ profile: { id: String(id), name } });

export function makeProfileStore(database: Database): ProfileStore {
  return {
    list: () => selectProfiles(database.read),
    add: (profile, audit) =>
      audited(
        database,
        { ...audit, action: 'profile.added', details: (id) => profileDetails(id, profile.name) },
        (transaction) => insertProfile(transaction, profile),
      ),
    change: (id, profile, audit) =>
      audited(
        database,
        { ...audit, action: 'profile.changed', details: profileDetails(id, profile.name) },
        (transaction) => updateProfile(transaction, id, profile),
      ),
    remove: (id, audit) =>
      audited(
        database,
        { ...audit, action: 'profile.removed', details: (name: string) => profileDetails(id, name) },
        (transaction) => deleteProfile(transaction, id),
      ).then((name) => name !== undefined),
  };
}
