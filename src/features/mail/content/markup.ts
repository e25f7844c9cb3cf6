// The template tag for the HTML of a mail. It escapes every inserted text, so that escaping cannot be forgotten.

/** HTML that needs no escaping. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Piece = Markup | string | number | false | null | undefined | Piece[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function markup(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...pieces.map(toHtml)));
}

function toHtml(piece: Piece): string {
  if (piece === false || piece === null || piece === undefined) return '';
  if (piece instanceof Markup) return piece.html;
  if (Array.isArray(piece)) return piece.map(toHtml).join('');
  return String(piece).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
