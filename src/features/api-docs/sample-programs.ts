// The sample programs for the second API, on a page of their own.

import type { PageContext } from '../../kernel/pages/context.ts';
import { renderPage } from '../../kernel/pages/layout.ts';
import { apiUrlOf } from '../../kernel/pages/public-url.ts';
import { isDemo } from '../../kernel/sites/site.ts';
import { docsStylesheet } from '../../platform/pages/assets.ts';
import { html } from '../../platform/pages/ui/html.ts';
import { icon } from '../../platform/pages/ui/icons.ts';
import { API_DOCS_TEXTS } from './api-docs-texts.ts';
import { examplesFor } from './api-examples.ts';

export const EXAMPLES_PATH = '/api-docs/examples';

/** The site id in the examples: the id of the user's newest site that is not a demo, otherwise 1. */
export async function exampleSite({ app, user }: PageContext): Promise<number> {
  const real = user ? (await app.sitesFor(user)).filter((site) => !isDemo(site)) : [];
  return real.length > 0 ? Math.max(...real.map(({ id }) => id)) : 1;
}

export async function showExamples(context: PageContext) {
  const text = API_DOCS_TEXTS[context.language];
  const programs = examplesFor(apiUrlOf(context), await exampleSite(context));
  return renderPage(context, {
    title: text.examples,
    isWide: true,
    stylesheets: [docsStylesheet],
    under: '/api-docs',
    content: html`<h1>${text.examples}</h1><p class="measure">${text.examplesIntro}</p>
<p class="actions opening"><a class="button quiet" href="/api-docs">${text.toV1}</a></p>
<section class="card examples">${programs.map(
      ({ language, code }, index) =>
        html`<details name="example"${index === 0 && html` open`}><summary>${language}</summary>
<pre tabindex="0"><code>${code}</code></pre>
<p class="actions"><button class="button" type="button" hidden aria-label="${text.copyOf(language)}" data-copy="${code}" data-copied="${text.copied}">${icon('copy')}<span>${text.copy}</span></button></p></details>`,
    )}</section>`,
  });
}
