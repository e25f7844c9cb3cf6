// The texts of the test page of a receipt printer, in all languages, without those of the web interface.

import type { Language } from '../../platform/text/language.ts';
import { type TestPageMessages, testPageDe } from './test-page-texts-de.ts';
import { testPageEn } from './test-page-texts-en.ts';

export const TEST_PAGE_MESSAGES: Record<Language, TestPageMessages> = { de: testPageDe, en: testPageEn };
