// `gastpass mcp`: lets a program that speaks the Model Context Protocol, such as an AI assistant, use a service through
// its API.

import type { Command } from '../../platform/cli/command.ts';
import { printError } from '../../platform/cli/print.ts';
import { readClientSettings } from '../../platform/config/read-client-settings.ts';
import { VERSION } from '../../platform/config/version.ts';
import { WrongConfiguration } from '../../platform/values/wrong-configuration.ts';

/**
 * Callers usually give up after a minute. The last attempt begins within the patience and ends within the time-out. The
 * service answers within 20 seconds.
 */
const TIMEOUTS = { patienceMs: 25_000, timeoutMs: 25_000 };

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve tools over the Model Context Protocol, on standard input and output.',
  help: `Tools: list_sites, list_vouchers, get_voucher, create_voucher, revoke_voucher, with the rights of an API key.
GASTPASS_URL is the base address of the API, http://127.0.0.1:8080/api by default. GASTPASS_KEY is the API key, or
GASTPASS_KEY_FILE the file that contains it. See docs/mcp.md.`,
  async run() {
    const { settings, issues } = readClientSettings();
    if (issues) throw new WrongConfiguration(issues.join('; '));
    const { makeGastpassClient } = await import('../../../packages/client/src/index.ts');
    // Loaded only here: with its packages, the protocol takes more memory than the rest of the command line.
    const { serveMcp } = await import('./serve-mcp.ts');
    await serveMcp({
      client: makeGastpassClient({ ...settings, ...TIMEOUTS }),
      version: VERSION,
      onError: ({ message }) => printError(`gastpass mcp: ${message}`),
    });
  },
};
