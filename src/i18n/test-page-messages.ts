// The texts of the test page of a receipt printer, in all languages, without those of the web interface.

import type { Language } from '../domain/language.ts';
import { type TestPageMessages, testPageDe } from './de/staff/test-page.ts';
import { testPageEn } from './en/staff/test-page.ts';

export const TEST_PAGE_MESSAGES: Record<Language, TestPageMessages> = { de: testPageDe, en: testPageEn };
