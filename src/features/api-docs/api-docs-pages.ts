// What the documentation of the API brings to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import { apiDocsRoutes } from './api-docs.ts';
import { API_DOCS_TEXTS } from './api-docs-texts.ts';

export const apiDocsPages: FeaturePages = {
  routes: apiDocsRoutes,
  menu: [
    {
      for: 'admins',
      item: ({ language }) => ({ href: '/api-docs', label: API_DOCS_TEXTS[language].nav, shape: 'code' }),
    },
  ],
};
