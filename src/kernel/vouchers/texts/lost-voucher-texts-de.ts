// German messages for unused vouchers that are missing on the console: the alarm, and creating them again.

import { MAX_LOST_COUNTED } from '../lost-vouchers.ts';

const number = (count: number) => count.toLocaleString('de');
const vouchers = (count: number) => (count === 1 ? '1 Voucher' : `${number(count)} Voucher`);

const most = MAX_LOST_COUNTED;
const some = (count: number) =>
  count === 1
    ? '1 unbenutzter Voucher fehlt auf der Konsole'
    : `${count > most ? `Mehr als ${number(most)}` : number(count)} unbenutzte Voucher fehlen auf der Konsole`;

export const lostVouchersDe = {
  concern: (site: string, count: number) => `${site}: ${some(count)}`,
  noticed: (time: string) => `Bemerkt am ${time}\u00a0Uhr.`,
  thisOne: 'Dieser Voucher fehlt auf der Konsole',
  some,
  means: (count: number): string =>
    count === 1
      ? 'Der Code funktioniert nicht mehr, ein gedruckter Zettel ist ungültig.'
      : 'Die Codes funktionieren nicht mehr, gedruckte Zettel sind ungültig.',
  again: 'Neu erstellen',
  replacedBy: 'Neu erstellt als',
  ask: (count: number) => `${vouchers(count)} neu erstellen?`,
  what: (count: number): string =>
    count === 1
      ? 'Der neue Voucher hat denselben Namen, dieselbe Dauer und dieselben Grenzen, aber einen neuen Code. Danach bitte einen neuen Zettel ausgeben.'
      : 'Die neuen Voucher haben dieselben Namen, dieselbe Dauer und dieselben Grenzen, aber neue Codes. Danach bitte neue Zettel ausgeben.',
  firstOf: (count: number, all: number) =>
    `Insgesamt fehlen ${number(all)}. Auf einmal werden höchstens ${number(count)} neu erstellt.`,
  nothing: 'Hier fehlt kein Voucher',
  name: 'Name',
  count: 'Anzahl',
  made: 'Neu erstellt',
  madeOf: (made: number, wanted: number) => `${number(made)} von ${number(wanted)}`,
  furtherNames: (count: number) =>
    count === 1 ? 'und ein weiterer Name' : `und ${number(count)} weitere Namen`,
  button: (count: number) => `${vouchers(count)} neu erstellen`,
  unneeded: (count: number) => (count === 1 ? 'Ist erledigt' : `Alle ${number(count)} sind erledigt`),
  running: (made: number, wanted: number) =>
    wanted === 1 ? 'Voucher wird neu erstellt …' : `${number(made)} von ${number(wanted)} neu erstellt …`,
  background: 'Das läuft weiter, auch wenn diese Seite geschlossen wird.',
  all: (count: number) => `${vouchers(count)} neu erstellt`,
  partly: (made: number, wanted: number) => `${number(made)} von ${number(wanted)} Vouchern neu erstellt`,
  stillLost: (count: number) =>
    count === 1 ? '1 Voucher fehlt weiterhin.' : `${number(count)} Voucher fehlen weiterhin.`,
  rest: 'Den Rest neu erstellen',
};

export type LostVoucherMessages = typeof lostVouchersDe;
