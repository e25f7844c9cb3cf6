// The texts of the API documentation, in all languages.

import { apiDocsDe } from './api-docs-texts-de.ts';
import { apiDocsEn } from './api-docs-texts-en.ts';

export const API_DOCS_TEXTS = { de: apiDocsDe, en: apiDocsEn };
