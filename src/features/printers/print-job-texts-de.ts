// German messages about print jobs: where a voucher is printed, and what became of it.

import type { PrinterState } from './printer.ts';

const number = (count: number) => count.toLocaleString('de');

export const printJobsDe = {
  title: 'Druckaufträge',
  /** Before the name of a printer, on a button. */
  print: 'Drucken',
  copy: 'Kopie drucken',
  copies: 'Kopien drucken',
  rest: (count: number): string =>
    count === 1 ? 'Fehlenden Zettel drucken' : `${number(count)} fehlende Zettel drucken`,
  /** The heading of the menu of printers, and the label of a selection. */
  on: 'Drucken auf',
  copyOn: 'Als „Kopie“ drucken auf',
  other: 'Anderer Drucker oder Papier',
  otherWay: 'Anders drucken …',
  paper: 'Papier',
  paperDialog: 'Papier (Druckdialog)',
  printers: 'Bondrucker',
  slips: (count: number) => (count === 1 ? '1 Zettel' : `${number(count)} Zettel`),
  alreadyPrinted: (count: number, all: number): string =>
    count < all
      ? `${number(count)} von ${number(all)} sind schon gedruckt oder in Auftrag; diese Zettel bekommen den Vermerk „Kopie“.`
      : count === 1
        ? 'Schon gedruckt oder in Auftrag; der Zettel bekommt den Vermerk „Kopie“.'
        : 'Schon gedruckt oder in Auftrag; die Zettel bekommen den Vermerk „Kopie“.',
  oneSite:
    'Ein Bondrucker druckt nur Voucher seines Standorts. Bitte Voucher eines einzigen Standorts wählen.',

  ended: 'Nicht gedruckt: Keiner der gewählten Voucher ist noch gültig.',

  /** `time` is a time of day, or a day and a time. */
  queued: (printer: string) => `Wartet auf ${printer}`,
  queuedBecause: (printer: string, why: string) => `Wartet auf ${printer}: ${why}`,
  sending: (printer: string) => `Wird auf ${printer} gedruckt`,
  printed: (printer: string, time: string) => `Gedruckt auf ${printer}, ${time}`,
  copyPrinted: (printer: string, time: string) => `Kopie gedruckt auf ${printer}, ${time}`,
  sent: (printer: string, time: string) => `Gesendet an ${printer}, ${time}`,
  copySent: (printer: string, time: string) => `Kopie gesendet an ${printer}, ${time}`,
  unclear: (printer: string, time: string) => `Unklar, ob ${printer} gedruckt hat, ${time}`,
  failed: (printer: string, time: string) => `Nicht gedruckt auf ${printer}, ${time}`,
  expired: (printer: string, time: string) => `Nicht rechtzeitig gedruckt auf ${printer}, ${time}`,
  cancelled: (printer: string, time: string) => `Druckauftrag für ${printer} abgebrochen, ${time}`,

  /** What to do about a printer that does not print now. */
  remedies: {
    'paper-out': 'Bitte Papier einlegen, dann geht es von selbst weiter.',
    'cover-open': 'Bitte den Deckel schließen, dann geht es von selbst weiter.',
    fault: 'Bitte am Drucker nachsehen.',
    silent: 'Bitte prüfen, ob der Drucker eingeschaltet und mit dem Netz verbunden ist.',
  } satisfies Record<Exclude<PrinterState, 'ready'>, string>,
  lookAtPrinter:
    'Vielleicht gedruckt – bitte am Drucker nachsehen. Nur wenn kein Zettel da ist, eine Kopie drucken.',
  neverConfirms: 'Dieser Drucker bestätigt nicht, ob der Zettel herauskam.',
  printAgain: 'Bitte noch einmal drucken, wenn nötig auf einem anderen Drucker oder auf Papier.',
  printerSaid: 'Meldung des Druckers:',
  cancel: 'Abbrechen',
  cancelRest: 'Wartende abbrechen',

  /** The states of several jobs, after their number. */
  states: {
    queued: 'wartend',
    sending: 'im Druck',
    printed: 'gedruckt',
    unknown: 'unklar',
    failed: 'nicht gedruckt',
    expired: 'nicht rechtzeitig gedruckt',
    cancelled: 'abgebrochen',
  },
  /** In the list of vouchers. The page of the voucher says more. */
  marks: {
    unknown: 'Unklar, ob gedruckt',
    failed: 'Nicht gedruckt',
    expired: 'Nicht rechtzeitig gedruckt',
  },
  inStates: (counts: string) => `Druckaufträge: ${counts}`,
  lookAt: 'Bitte nachsehen:',
  further: (count: number) => `und ${number(count)} weitere`,
};

export type PrintJobsMessages = typeof printJobsDe;
