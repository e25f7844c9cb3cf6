// A small, strict reader of XML: elements, attributes, text, comments and the declaration. No DTD, no CDATA.

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  /** The text directly in the element, without that of its children. */
  text: string;
}

const NAME = '[A-Za-z_][\\w.-]*';
const TOKEN = new RegExp(
  [
    '<!--[^]*?-->',
    `</(?<closed>${NAME})\\s*>`,
    `<(?<opened>${NAME})(?<attributes>(?:\\s+${NAME}(?::${NAME})?\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(?<empty>/?)>`,
    '(?<text>[^<]+)',
  ].join('|'),
  'y',
);
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Throws an Error if the text is not well-formed. */
export function parseXml(source: string): Element {
  const content = source.replace(/^\uFEFF?<\?xml[^>]*\?>/, '');
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < content.length) {
    const at = TOKEN.lastIndex;
    const { opened, closed, attributes = '', empty, text } = TOKEN.exec(content)?.groups ?? failAt(at);
    const parent = open.at(-1) ?? failAt(at);
    if (text !== undefined) parent.text += decode(text);
    if (opened !== undefined) {
      const element: Element = {
        name: opened,
        attributes: readAttributes(attributes),
        children: [],
        text: '',
      };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
    if (closed !== undefined && open.pop()?.name !== closed) failAt(at);
  }
  const [root] = document.children;
  if (!root || open.length !== 1 || document.children.length > 1 || document.text.trim())
    throw new Error('not one whole document');
  return root;
}

function readAttributes(source: string): Record<string, string> {
  const found = [...source.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return Object.fromEntries(found.map(([, name, double, single]) => [name, decode(double ?? single ?? '')]));
}

function decode(text: string): string {
  return text.replace(/&(?:#x([\da-fA-F]+)|#(\d+)|(\w+));|&/g, (_, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    const character = ENTITIES[name];
    if (character === undefined) throw new Error('unknown entity');
    return character;
  });
}

function failAt(position: number): never {
  throw new Error(`error at character ${position + 1}`);
}

export function encodeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The only child of this name; undefined if there is none or more than one. */
export function childOf(parent: Element, name: string): Element | undefined {
  const found = parent.children.filter((child) => child.name === name);
  return found.length === 1 ? found[0] : undefined;
}
