// Finds the texts of all features and of the kernel by the names of their files.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Language } from '../../src/platform/text/language.ts';
import { product, root } from './sources.ts';

/** By the name under which a file exports them, without the language: `printers` for `printersDe`. */
export async function allTexts(language: Language): Promise<Record<string, object>> {
  const isText = new RegExp(`(-texts|/messages)-${language}\\.ts$`);
  const ending = language === 'de' ? 'De' : 'En';
  const texts: Record<string, object> = {};
  for (const { path } of product.filter((source) => isText.test(source.path))) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(root, path)).href);
    for (const [name, value] of Object.entries(exported))
      if (typeof value === 'object' && value !== null) texts[name.replace(ending, '')] = value;
  }
  return texts;
}
