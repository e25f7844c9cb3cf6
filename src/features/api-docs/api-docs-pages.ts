// What the documentation of the API brings to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import { html } from '../../platform/pages/ui/html.ts';
import { apiDocsRoutes } from './api-docs.ts';
import { API_DOCS_TEXTS } from './api-docs-texts.ts';

export const apiDocsPages: FeaturePages = {
  routes: apiDocsRoutes,
  loginLink: ({ settings, language }) =>
    settings.isApiPageOpen &&
    html`<p class="actions aside"><a class="button quiet" href="/api-docs">${API_DOCS_TEXTS[language].linkOnLoginPage}</a></p>`,
  menu: [
    {
      for: 'admins',
      item: ({ language }) => ({ href: '/api-docs', label: API_DOCS_TEXTS[language].nav, shape: 'code' }),
    },
  ],
};
