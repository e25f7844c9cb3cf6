// Writes the picture of a rolling code as an SVG whose texts stay texts, for browsers and dashboards. The widths of the
// lines are set, so that the picture fits with any font.

import { DOTS_PER_MM } from '../../../platform/drawing/bitmap.ts';
import type { Box, QrBox, TextBox } from '../../../platform/drawing/boxes.ts';
import { escapeXml } from '../../../platform/drawing/escape-xml.ts';
import { makeTypesetter } from '../../../platform/drawing/fonts.ts';
import { type CodePicture, layOutCodePicture } from './code-picture.ts';

const FONTS = {
  code: "'DejaVu Sans Mono', Menlo, Consolas, monospace",
  text: "'DejaVu Sans Condensed', 'Source Sans 3', Roboto, Arial, sans-serif",
};

export function writeCodePictureSvg(picture: CodePicture): string {
  const { width, height, language, site, code, message } = picture;
  const { boxes } = layOutCodePicture(makeTypesetter(), picture);
  const title = [site, code ?? message].filter(Boolean).join(': ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" lang="${language}" role="img"><title>${escapeXml(title)}</title><rect width="100%" height="100%" fill="#ffffff"/>${boxes.map(drawBox).join('')}</svg>\n`;
}

function drawBox(box: Box): string {
  if (box.kind === 'text') return drawText(box);
  return box.kind === 'qr' ? drawQrCode(box) : '';
}

function drawText({ role, cut, size, lines }: TextBox): string {
  const family = role === 'code' ? FONTS.code : FONTS.text;
  const weight = cut === 'bold' || cut === 'mono' ? 700 : 400;
  const style = `font-family="${family}" font-weight="${weight}" font-size="${toDots(size)}"`;
  return lines
    .map(({ text, x, y, width }) => {
      const length = `textLength="${toDots(width)}" lengthAdjust="spacingAndGlyphs"`;
      return `<text ${style} x="${toDots(x + width / 2)}" y="${toDots(y)}" text-anchor="middle" ${length}>${escapeXml(text)}</text>`;
    })
    .join('');
}

function drawQrCode({ drawing, x, y, width }: QrBox): string {
  const place = `translate(${toDots(x)} ${toDots(y)}) scale(${toDots(width) / drawing.size})`;
  return `<path shape-rendering="crispEdges" transform="${place}" d="${drawing.path}"/>`;
}

function toDots(millimetres: number): number {
  return Math.round(millimetres * DOTS_PER_MM * 100) / 100;
}
