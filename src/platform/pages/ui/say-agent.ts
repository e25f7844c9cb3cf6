// Describes the browser and the operating system of a session in a few words, based on the User-Agent header.

/** The order matters, because the User-Agent header of most browsers also contains "Chrome" or "Safari". */
const BROWSERS: [mark: RegExp, name: string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
/** The order matters: the header of Android also contains "Linux", and that of iPhones contains "Mac OS X". */
const SYSTEMS: [mark: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Returns a text such as "Firefox, Windows". An unknown user agent is returned unchanged. */
export function sayAgent(agent: string): string {
  const found = [BROWSERS, SYSTEMS].map((list) => list.find(([mark]) => mark.test(agent))?.[1]);
  return found.filter(Boolean).join(', ') || agent || '–';
}
