// The themes of the pages. Each device stores its choice in a cookie. `system` uses the theme of the device.

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The background colours of the pages, also used for the browser's toolbars. They equal `--paper` in style.css. */
export const THEME_COLOURS = { light: '#f6f7f9', dark: '#14171c' };

export function themeOf(text: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === text) ?? 'system';
}
