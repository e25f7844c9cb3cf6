// Programs to copy: each creates a voucher and lists the site's, tries again where that is safe, and says what
// went wrong. They lie beside this file as they are run; only the address is filled in.

import { readFileSync } from 'node:fs';

const PLACEHOLDER = 'https://gastpass.example/api';
const FILES = { curl: 'sh', JavaScript: 'mjs', Python: 'py', PHP: 'php' };

export interface Example {
  language: string;
  code: string;
}

const examples: Example[] = Object.entries(FILES).map(([language, ending]) => ({
  language,
  code: readFileSync(new URL(`api-examples/vouchers.${ending}`, import.meta.url), 'utf8').trimEnd(),
}));

export function examplesFor(address: string): Example[] {
  return examples.map(({ language, code }) => ({ language, code: code.replace(PLACEHOLDER, () => address) }));
}
