// German messages for the first steps of a new installation, and for the demo.

export const firstStepsDe = {
  title: 'Erste Schritte',
  done: (done: number, all: number) => `${done} von ${all} erledigt`,
  isDone: 'erledigt',
  hide: 'Ausblenden',
  steps: {
    controller: {
      name: 'Konsole verbinden',
      why: 'Die UniFi-Konsole oder der Server, der die Voucher ausgibt.',
      action: 'Verbinden',
    },
    slip: {
      name: 'WLAN-Name und Zettel',
      why: 'Damit Gäste wissen, welches WLAN gemeint ist.',
      action: 'Gestalten',
    },
    voucher: {
      name: 'Erster Voucher',
      why: 'Für das eigene WLAN erstellen und gleich ausprobieren.',
      action: 'Erstellen',
    },
    colleague: {
      name: 'Jemanden einladen',
      why: 'Die Rezeption bekommt ein eigenes Konto.',
      action: 'Einladen',
    },
    demo: {
      name: 'Demo deaktivieren',
      why: 'Voucher der Demo öffnen kein WLAN.',
      action: 'Deaktivieren',
    },
  },
  demo: 'Demo',
  addSite: 'Standort einrichten',
};

export type FirstStepMessages = typeof firstStepsDe;
