// The words around profiles in English.

import type { ProfileWords } from './profiles-de.ts';

export const profilesEn: ProfileWords = {
  title: 'Profiles',
  intro: 'A profile fills the form with one click: devices, time and limits, under a name.',
  add: 'Create profile',
  empty: 'No profiles yet.',
  allows: 'Allows',
  forSites: 'For',
  allSites: 'all sites',
  sitesHint: 'Nothing ticked means all sites',
  change: 'Change',
  remove: 'Delete',
  removeAsk: (name) => `Delete profile “${name}”?`,
  removeWhat: 'Vouchers that were made with it stay valid.',
};
