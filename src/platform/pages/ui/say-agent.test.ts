// Tests the description of a browser by its User-Agent header.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayAgent } from './say-agent.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('browser and system are named, and an unknown user agent is shown unchanged', () => {
  const agents: Record<string, string> = {
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0 Safari/537.36`]: 'Chrome, Windows',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0 Safari/537.36 Edg/142.0`]:
      'Edge, Windows',
    'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0': 'Firefox, Linux',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 (KHTML, like Gecko) Version/19.0 Safari/605.1':
      'Safari, macOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) CriOS/142.0 Mobile Safari/604.1':
      'Chrome, iPhone',
    [`Mozilla/5.0 (Linux; Android 15; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`]:
      'Samsung Internet, Android',
    'curl/8.14': 'curl/8.14',
    '': '–',
  };
  for (const [agent, said] of Object.entries(agents)) assert.equal(sayAgent(agent), said, agent);
});
