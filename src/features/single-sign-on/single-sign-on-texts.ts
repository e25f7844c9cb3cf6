// The texts of single sign-on, in all languages.

import { singleSignOnDe } from './single-sign-on-texts-de.ts';
import { singleSignOnEn } from './single-sign-on-texts-en.ts';

export const SINGLE_SIGN_ON_TEXTS = { de: singleSignOnDe, en: singleSignOnEn };
