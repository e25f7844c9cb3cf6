// Shows docs/settings.md, the guide to the settings of the environment, so that pages can link to it wherever the
// service is installed. The documents are in English.

import { readFileSync } from 'node:fs';
import { html } from '../../../platform/pages/ui/html.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { renderPage } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import { SETTINGS_GUIDE } from '../pages/setting-help.ts';
import { renderMarkdown } from './render-markdown.ts';

export const guideRoutes: Route[] = [{ method: 'GET', path: SETTINGS_GUIDE, permission: 'admin', run: show }];

function show(context: AuthenticatedContext) {
  const text = readFileSync(new URL(import.meta.resolve('#guide/settings.md')), 'utf8');
  return renderPage(context, {
    title: context.messages.environment.title,
    content: html`<section class="card guide" lang="en">${renderMarkdown(text)}</section>`,
  });
}
