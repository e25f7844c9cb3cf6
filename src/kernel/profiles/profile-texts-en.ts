// English messages for profiles.

import type { ProfileMessages } from './profile-texts-de.ts';

export const profilesEn: ProfileMessages = {
  title: 'Profiles',
  intro: 'A profile fills in the form with one click: devices, duration and limits under one name.',
  add: 'Create profile',
  empty: 'No profiles yet.',
  nights: 'nights (until check-out)',
  allows: 'Allows',
  forSites: 'For',
  allSites: 'all sites',
  sitesHint: 'The profile is not offered at other sites.',
  change: 'Change',
  remove: 'Delete',
  removeAsk: (name) => `Delete profile “${name}”?`,
  removeWhat: 'Vouchers created with it stay valid.',
  removeUsed:
    'The profile is still used here. Where there is no other one, the default limits apply afterwards:',
  ofScreen: (screen, site) => `Screen ${screen} (${site})`,
  ofReserve: (site) => `Reserve of ${site}`,
};
