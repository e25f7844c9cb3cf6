// The icons of the interface: line drawings with the same stroke width in a 24 × 24 view box.

import { type Html, html, trusted } from './html.ts';

const SHAPES = {
  plus: '<path d="M12 5v14M5 12h14"/>',
  list: '<path d="M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4 21c0-4 4-6 8-6s8 2 8 6"/>',
  leave: '<path d="M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9"/>',
  copy: '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15H4V4h11v1"/>',
  screen: '<rect x="6" y="3" width="12" height="18" rx="2"/><path d="M11 18h2"/>',
  share: '<path d="M12 15V3M8 7l4-4 4 4M6 11H5v10h14V11h-1"/>',
  print: '<path d="M7 9V4h10v5M7 17H4v-8h16v8h-3"/><rect x="7" y="14" width="10" height="6"/>',
  valid: '<circle cx="12" cy="12" r="9"/><path d="M8 12l3 3 5-6"/>',
  used: '<circle cx="12" cy="12" r="9"/><path d="M8 12h8"/>',
  expired: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  new: '<circle cx="12" cy="12" r="9"/>',
  ended: '<circle cx="12" cy="12" r="9"/><path d="M6 6l12 12"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8h.01"/>',
  warning: '<path d="M12 4l9 16H3zM12 10v4M12 17h.01"/>',
  key: '<circle cx="8" cy="15" r="4"/><path d="M11 12l8-8M16 7l3 3M13 10l2 2"/>',
  place: '<path d="M12 21s7-6 7-12a7 7 0 0 0-14 0c0 6 7 12 7 12z"/><circle cx="12" cy="9" r="2"/>',
  bell: '<path d="M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4"/>',
  users:
    '<circle cx="9" cy="8" r="3"/><path d="M3 20c0-3 3-5 6-5s6 2 6 5M16 5a3 3 0 0 1 0 6M17 15c2 0 4 2 4 5"/>',
  book: '<path d="M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM9 9h6M9 13h6"/>',
  sliders:
    '<path d="M4 7h8M18 7h2M4 17h2M12 17h8"/><circle cx="15" cy="7" r="3"/><circle cx="9" cy="17" r="3"/>',
  gauge: '<path d="M4 18a9 9 0 1 1 16 0M12 14l4-5"/>',
  pulse: '<path d="M2 12h5l3-7 4 14 3-7h5"/>',
  wifi: '<path d="M2 9a15 15 0 0 1 20 0M5 13a10 10 0 0 1 14 0M8.5 16.5a5 5 0 0 1 7 0M12 20h.01"/>',
  bookmark: '<path d="M6 4h12v16l-6-5-6 5z"/>',
  more: '<circle cx="5" cy="12" r="1"/><circle cx="12" cy="12" r="1"/><circle cx="19" cy="12" r="1"/>',
  mail: '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M3 7l9 6 9-6"/>',
  code: '<path d="M8 7l-5 5 5 5M16 7l5 5-5 5"/>',
  search: '<circle cx="11" cy="11" r="6"/><path d="M16 16l4 4"/>',
};

export type IconName = keyof typeof SHAPES;

/** Icons are hidden from screen readers, so there must always be a text next to an icon. */
export function icon(name: IconName): Html {
  return trusted(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${SHAPES[name]}</svg>`);
}

/** Draws icons that a page shows often once, to keep the page small. */
export function drawIcons(names: Iterable<IconName>): Html {
  const symbols = [...new Set(names)].map(
    (name) => `<symbol id="i-${name}" viewBox="0 0 24 24">${SHAPES[name]}</symbol>`,
  );
  return trusted(`<svg class="hidden-text" aria-hidden="true">${symbols.join('')}</svg>`);
}

/** Like `icon`, for an icon of `drawIcons`. */
export function drawnIcon(name: IconName): Html {
  return trusted(`<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`);
}

/** An icon of `drawIcons` that says something by itself. */
export function iconThatSays(name: IconName, text: string, isBad: boolean): Html {
  return html`<svg class="icon${isBad && ' bad'}" role="img"><title>${text}</title><use href="#i-${name}"/></svg>`;
}
