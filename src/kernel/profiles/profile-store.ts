// The store for profiles.

import type { Database } from '../../platform/database/database.ts';
import { audited } from '../audit/audited-store.ts';
import type { ProfileStore } from './profile.ts';
import { deleteProfile, insertProfile, selectProfiles, updateProfile } from './profile-queries.ts';

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
