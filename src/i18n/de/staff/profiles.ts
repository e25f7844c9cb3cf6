// German messages for profiles.

export const profilesDe = {
  title: 'Profile',
  intro:
    'Ein Profil füllt das Formular für neue Voucher mit einem Klick aus: Geräte, Dauer, Tempo und Datenmenge.',
  add: 'Profil anlegen',
  empty: 'Noch keine Profile.',
  nights: 'Nächte (bis Abreise)',
  allows: 'Erlaubt',
  forSites: 'Für',
  allSites: 'alle Standorte',
  sitesHint: 'An anderen Standorten wird das Profil nicht angeboten.',
  change: 'Ändern',
  remove: 'Löschen',
  removeAsk: (name: string) => `Profil „${name}“ löschen?`,
  removeWhat: 'Voucher, die damit erstellt wurden, gelten weiter.',
};

export type ProfileMessages = typeof profilesDe;
