// QR codes as a drawing: one path of dark squares, the same on screens and in PDF.

import encodeQR from 'qr';

/** Quiet squares around the code, part of the drawing. */
export const QR_BORDER = 2;

export interface QrDrawing {
  /** Squares in a row, border included. */
  size: number;
  /** In the words of SVG, a square being 1 wide. */
  path: string;
}

export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QR_BORDER });
  return { size: rows.length, path: rows.map(pathOfRow).join('') };
}

/** Neighbours in one piece: a third of the text, and no hairlines between them. */
function pathOfRow(row: boolean[], y: number): string {
  const dark = row.map((isDark) => (isDark ? '#' : ' ')).join('');
  return [...dark.matchAll(/#+/g)]
    .map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join('');
}
