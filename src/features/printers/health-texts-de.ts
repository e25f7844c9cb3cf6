// German texts about the health of printers.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { PrinterHealthFacts } from './judge-printers.ts';
import { printersDe } from './printer-texts-de.ts';

export const saidOfPrintersDe = {
  ...titled(({ printer, site }) => `Drucker ${printer} (${site})`, {
    'printer-ok': () => ({ text: 'Bereit' }),
    'printer-new': () => ({ text: 'Noch nie verbunden' }),
    'printer-not-known': () => ({
      text: 'Dieser Version unbekannt; diese Instanz druckt nicht auf diesem Drucker.',
      todo: 'Diese Instanz aktualisieren.',
    }),
    'printer-failing': ({ state, advice, detail }) => ({
      text: `Der Drucker kann nicht drucken: ${printersDe.states[state]}.`,
      todo: printersDe.advice[advice],
      ...(detail && { detail }),
    }),
    'print-jobs-failed': ({ count }) => ({
      text: `In den letzten 24 Stunden ${count === 1 ? 'wurde ein Druckauftrag nicht gedruckt oder blieb unklar' : `wurden ${count} Druckaufträge nicht gedruckt oder blieben unklar`}.`,
      todo: 'Auf der Seite des Druckers nachsehen, warum.',
    }),
  }),
} satisfies Pick<SaidOf, keyof PrinterHealthFacts>;
