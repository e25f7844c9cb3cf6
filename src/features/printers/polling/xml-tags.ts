// Reads the tags of a small XML document, without their nesting. Refuses everything that a report of a printer does not
// need, such as document types and entities of its own. One pass over the text.

export interface Tag {
  name: string;
  attributes: Record<string, string>;
  /** The text up to the next tag. */
  text: string;
}

/** A report has about ten. */
const MAX_TAGS = 100;

const PROLOGUE = /\uFEFF?\s*(?:<\?xml [^<>?]{0,200}\?>)?/y;
const TEXT = /[^<]*/y;
const CLOSING = /<\/[\w:.-]+\s*>/y;
const OPENING = /<([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The opening tags in their order; undefined if the text is no such document. */
export function readTags(xml: string): Tag[] | undefined {
  const tags: Tag[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(xml);
    if (found) at = pattern.lastIndex;
    return found;
  };
  take(PROLOGUE);
  while (at < xml.length) {
    const text = unescapeText(take(TEXT)?.[0] ?? '');
    const last = tags.at(-1);
    if (last && last.text === '') last.text = text;
    if (at === xml.length) break;
    if (take(CLOSING)) continue;
    const opening = take(OPENING);
    if (!opening || tags.length === MAX_TAGS) return undefined;
    tags.push({ name: opening[1] ?? '', attributes: readAttributes(opening[2] ?? ''), text: '' });
  }
  return tags.length > 0 ? tags : undefined;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  for (const [, name = '', quoted, single = ''] of text.matchAll(ATTRIBUTE))
    attributes[name] = unescapeText(quoted ?? single);
  return attributes;
}

/** Knows the five entities of XML. Others stay as they are. */
function unescapeText(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
}
