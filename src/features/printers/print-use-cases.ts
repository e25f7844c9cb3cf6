// Wires the use cases that print vouchers that exist.

import type { Installation } from '../../kernel/installation.ts';
import { makeCancelPrintJob, makePrintTestPage, makePrintVouchers } from './print-vouchers.ts';

export function makePrintUseCases({ printers, printJobs, slips }: Installation) {
  return {
    printVouchers: makePrintVouchers({ printers, printJobs, slips }),
    printTestPage: makePrintTestPage({ printers, printJobs }),
    cancelPrintJob: makeCancelPrintJob({ printJobs }),
  };
}
