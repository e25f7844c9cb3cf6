// The documentation of the API as pages, with a form that tries it out.

import type { Feature } from '../../kernel/feature.ts';

export const apiDocs = {
  pages: async () => (await import('./api-docs-pages.ts')).apiDocsPages,
} satisfies Feature;
