// Browser and system of a session in a few words, from the User-Agent header.

/** In this order: most browsers also name Chrome or Safari. */
const BROWSERS: [mark: RegExp, name: string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
/** In this order: Android names Linux, and iPhones name Mac OS X. */
const SYSTEMS: [mark: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox, Windows"; an unknown user agent is shown unchanged. */
export function sayAgent(agent: string): string {
  const found = [BROWSERS, SYSTEMS].map((list) => list.find(([mark]) => mark.test(agent))?.[1]);
  return found.filter(Boolean).join(', ') || agent || '–';
}
