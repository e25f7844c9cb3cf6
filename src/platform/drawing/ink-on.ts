// Chooses the colour of text on a coloured band.

const BLACK = '#000000';
const WHITE = '#ffffff';
/** At this luminance, black and white text have the same contrast, 4.6:1. */
const MIDDLE_LUMINANCE = 0.179;

/** The colour of text on a band: black or white, whichever is easier to read. */
export function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(colour.slice(at, at + 2)));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > MIDDLE_LUMINANCE ? BLACK : WHITE;
}

/** The brightness of one channel, as sRGB defines it. */
function linear(hex: string): number {
  const share = Number.parseInt(hex, 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
