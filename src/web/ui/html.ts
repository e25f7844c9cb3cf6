// HTML as a value. Whatever is put into a template is escaped unless it is HTML itself, so forgetting it is
// not possible.

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | false | null | undefined | Piece[];

export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = strings[0] ?? '';
  for (const [index, piece] of pieces.entries()) text += render(piece) + (strings[index + 1] ?? '');
  return new Html(text);
}

/** What we wrote ourselves: drawings, never anything that came from outside. */
export function trusted(text: string): Html {
  return new Html(text);
}

function render(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (Array.isArray(piece)) return piece.map(render).join('');
  if (piece === false || piece === null || piece === undefined) return '';
  return escapeText(String(piece));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
