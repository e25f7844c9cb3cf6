// The texts of printers and print jobs, in all languages.

import { printJobsDe } from './print-job-texts-de.ts';
import { printJobsEn } from './print-job-texts-en.ts';
import { printersDe } from './printer-texts-de.ts';
import { printersEn } from './printer-texts-en.ts';

export const PRINT_JOB_TEXTS = { de: printJobsDe, en: printJobsEn };
export const PRINTER_TEXTS = { de: printersDe, en: printersEn };
