// Tests that the guide is shown without leftover Markdown, and that its text is escaped.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderMarkdown } from './render-markdown.ts';

test('headings, paragraphs, tables, code, bold text and links become HTML', () => {
  const text =
    '# Title\n\nA `<b>` and **a `c`**,\n[x](y.md) [RFC](https://rfc.example)\n\n| n |\n|---|\n| `A`, [b](c.md) |\n';
  assert.equal(
    renderMarkdown(text).toString(),
    '<h1>Title</h1><p>A <code>&lt;b&gt;</code> and <strong>a <code>c</code></strong>,\nx <a href="https://rfc.example">RFC</a></p>' +
      '<table><thead><tr><th scope="col">n</th></tr></thead><tbody><tr><td data-label="n"><code>A</code>, b</td></tr></tbody></table>',
  );
});

test('of docs/settings.md no Markdown is left', () => {
  const document = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');
  const shown = renderMarkdown(document).toString();
  assert.doesNotMatch(shown.replace(/<code>.*?<\/code>/gs, ''), /[`|]|\*\*|\]\(|^#|^- |^\d+\. /m);
  assert.match(shown, /<code>PUBLIC_URL<\/code>/);
});
