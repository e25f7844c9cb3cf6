// Wires the use cases that print vouchers that exist.

import {
  makeCancelPrintJob,
  makePrintTestPage,
  makePrintVouchers,
} from '../domain/printers/print-vouchers.ts';
import type { Installation } from './installation.ts';

export function makePrintUseCases({ printers, printJobs, slips }: Installation) {
  return {
    printVouchers: makePrintVouchers({ printers, printJobs, slips }),
    printTestPage: makePrintTestPage({ printers, printJobs }),
    cancelPrintJob: makeCancelPrintJob({ printJobs }),
  };
}
