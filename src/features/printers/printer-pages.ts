// What printers bring to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import { html } from '../../platform/pages/ui/html.ts';
import { printJobRoutes } from './pages/print-jobs.ts';
import { printerRoutes } from './pages/printers.ts';
import { printerVoucherSlots } from './pages/voucher-slots.ts';
import type { PrintJobStore } from './print-job.ts';
import type { CancelPrintJob, PrintVouchers } from './print-vouchers.ts';
import type { PrinterStore } from './printer.ts';
import { PRINTER_TEXTS } from './printer-texts.ts';
import type { AddPrinter, ChangePrinter } from './save-printer.ts';

declare module '../../kernel/pages/app.ts' {
  interface App {
    printers: PrinterStore;
    printJobs: PrintJobStore;
    addPrinter: AddPrinter;
    changePrinter: ChangePrinter;
    printVouchers: PrintVouchers;
    cancelPrintJob: CancelPrintJob;
  }
}

export const printerPages: FeaturePages = {
  siteLink: ({ language }, { id }) =>
    html`<a class="button" href="/printers#site-${id}">${PRINTER_TEXTS[language].title}</a>`,
  routes: [...printJobRoutes, ...printerRoutes],
  vouchers: printerVoucherSlots,
  menu: [
    {
      for: 'admins',
      before: '/keys',
      item: ({ language }) => ({ href: '/printers', label: PRINTER_TEXTS[language].title, shape: 'print' }),
    },
  ],
};
