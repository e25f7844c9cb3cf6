// Draws a QR code as one SVG path of its dark modules. The path is used both on screen and in PDFs.

import encodeQR from 'qr';

/** The width of the quiet zone in modules. The quiet zone is part of the drawing. */
export const QR_BORDER = 2;

export interface QrDrawing {
  /** Modules per row, including the border. */
  size: number;
  /** An SVG path in which a module is 1 unit wide. */
  path: string;
}

export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QR_BORDER });
  return { size: rows.length, path: rows.map(pathOfRow).join('') };
}

/** Merges adjacent dark modules. This makes the path shorter and avoids thin white lines between the modules. */
function pathOfRow(row: boolean[], y: number): string {
  const dark = row.map((isDark) => (isDark ? '#' : ' ')).join('');
  return [...dark.matchAll(/#+/g)]
    .map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join('');
}
