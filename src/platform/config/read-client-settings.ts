// Reads the settings of commands that call a service through its API: its address and an API key. The key comes from
// the environment or a file, never from the command line, which every user of the machine can read.

import { type Environment, makeReader } from './reader.ts';

type ClientSettingsReading =
  | { settings: { url: string; key: string }; issues?: never }
  | { settings?: never; issues: string[] };

export function readClientSettings(environment: Environment = process.env): ClientSettingsReading {
  const issues: string[] = [];
  const read = makeReader(environment, issues);
  const expected = 'the base address of the API, such as https://wifi.example.org/api';
  const url = read.text('GASTPASS_URL', 'http://127.0.0.1:8080/api', isAddress, expected);
  const key = read.text('GASTPASS_KEY', '', (text) => /^[\x21-\x7e]+$/.test(text), 'an API key');
  if (key === '' && issues.length === 0) issues.push('GASTPASS_KEY or GASTPASS_KEY_FILE: set an API key');
  return issues.length > 0 ? { issues } : { settings: { url, key } };
}

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
}
