// The texts of the test page of a receipt printer, in all languages, without those of the web interface.

import { testPageDe } from './test-page-texts-de.ts';
import { testPageEn } from './test-page-texts-en.ts';

export const TEST_PAGE_TEXTS = { de: testPageDe, en: testPageEn };
