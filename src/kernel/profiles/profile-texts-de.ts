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
  removeUsed:
    'Hier wird das Profil noch verwendet. Wo es kein anderes gibt, gelten danach die Standardwerte:',
  ofScreen: (screen: string, site: string) => `Bildschirm ${screen} (${site})`,
  ofReserve: (site: string) => `Reserve von ${site}`,
};

export type ProfileMessages = typeof profilesDe;
