// The looks of slips. The theme `classic` is set in DejaVu, the others in Source Sans: `calm` with light headings and
// much white space, `strong` with the headings on a band of colour.

import type { Cut } from '../../platform/drawing/fonts.ts';
import type { SlipTheme } from './slip.ts';

export interface Look {
  cuts: { plain: Cut; bold: Cut; site: Cut; code: Cut };
  /** Factors for the font sizes, the gaps and the margins of the paper. */
  font: number;
  gap: number;
  margin: number;
  hasBand: boolean;
}

/** Source Sans has smaller letters than DejaVu, so its font sizes are larger. */
const SANS = { plain: 'sans', bold: 'sans-bold', site: 'sans-bold', code: 'sans-bold' } as const;
const SANS_FONT = 1.1;

export const LOOKS: Record<SlipTheme, Look> = {
  classic: {
    cuts: { plain: 'plain', bold: 'bold', site: 'bold', code: 'mono' },
    font: 1,
    gap: 1,
    margin: 1,
    hasBand: false,
  },
  calm: {
    cuts: { ...SANS, site: 'sans' },
    font: SANS_FONT,
    gap: 1.8,
    margin: 1.3,
    hasBand: false,
  },
  strong: { cuts: SANS, font: SANS_FONT, gap: 1, margin: 1, hasBand: true },
};
