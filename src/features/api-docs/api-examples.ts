// Sample programs: each creates a voucher, lists the vouchers of the site, retries where that is safe, and reports
// errors. They are runnable files in `api-examples/`; only the API's URL and the id of a site are inserted.

import { readFileSync } from 'node:fs';

const PLACEHOLDER = 'https://gastpass.example/api';
const FILES = { curl: 'sh', JavaScript: 'mjs', Python: 'py', PHP: 'php' };

export interface Example {
  language: string;
  code: string;
}

const examples: Example[] = Object.entries(FILES).map(([language, ending]) => ({
  language,
  code: readFileSync(new URL(import.meta.resolve(`#api-examples/vouchers.${ending}`)), 'utf8').trimEnd(),
}));

export function examplesFor(url: string, siteId: number): Example[] {
  return examples.map(({ language, code }) => ({
    language,
    code: code.replace(PLACEHOLDER, () => url).replaceAll(/(?<=site\W+)1\b/g, String(siteId)),
  }));
}
