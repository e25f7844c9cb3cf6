// The themes of the pages. Every device has its own choice, kept in a cookie; `system` follows the device.

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The background of the pages, for the bars of the browser around them: `--paper` in the stylesheet. */
export const THEME_COLOURS = { light: '#f6f7f9', dark: '#14171c' };

export function themeOf(text: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === text) ?? 'system';
}
