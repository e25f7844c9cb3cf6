// `gastpass screens address`, `screens renew-address` and `screens terms`: the secret addresses of a rolling code, and
// all versions of the terms of a kiosk.

import { auditContext } from '../../kernel/command-tools.ts';
import type { Installation } from '../../kernel/installation.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  type CommandTools,
} from '../../platform/cli/command.ts';
import { originOf } from '../../platform/cli/own-origin.ts';
import { print, printJson, toTime } from '../../platform/cli/print.ts';
import { makePathToken } from '../../platform/secrets/token.ts';
import { ROLLING_FORMATS, toRollingUrl } from './rolling-url.ts';
import type { Screen } from './screen.ts';
import { findScreen, noSuchScreen } from './screen-option.ts';

const address: Command = {
  name: 'screens address',
  summary: 'Print the addresses at which devices without a login fetch a rolling code. They are secret.',
  usage: '<id>',
  help: 'Whoever knows an address gets codes. If one leaked, make new ones: gastpass screens renew-address.',
  positionals: ['id'],
  prints: true,
  async run(args, tools) {
    await printAddress(args, tools, async ({ screens }, { id }) => {
      const token = await screens.findToken(id);
      if (token === undefined)
        throw new CommandFailed(
          `the address cannot be decrypted; make a new one: gastpass screens renew-address ${id}`,
        );
      return token;
    });
  },
};

const renewAddress: Command = {
  name: 'screens renew-address',
  summary: 'Give a rolling code new addresses and print them. The old ones stop working at once.',
  usage: '<id>',
  help: 'Paired devices are not affected.',
  positionals: ['id'],
  prints: true,
  async run(args, tools) {
    await printAddress(args, tools, async (installation, { id }) => {
      const made = makePathToken();
      const isRenewed = await installation.screens.renewToken(id, made, auditContext(installation));
      if (!isRenewed) throw noSuchScreen(id);
      return made.token;
    });
  },
};

type GiveToken = (installation: Installation, screen: Screen) => Promise<string>;

async function printAddress(
  args: Arguments,
  { withInstallation }: CommandTools,
  giveToken: GiveToken,
): Promise<void> {
  const { id, token, origin } = await withInstallation(async (installation, config) => {
    const screen = await findScreen(installation, args);
    if (screen.kind !== 'rolling') throw new CommandFailed('only a rolling code has addresses');
    const token = await giveToken(installation, screen);
    return { id: screen.id, token, origin: await originOf(installation, config) };
  });
  if (args.has('json')) printJson({ id, token, url: toRollingUrl(origin, token) });
  else print(...ROLLING_FORMATS.map((format) => toRollingUrl(origin, token, format)));
}

const terms: Command = {
  name: 'screens terms',
  summary: 'Print all versions of the terms that guests of a kiosk have been asked to accept, newest first.',
  usage: '<id>',
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const versions = await withInstallation(async (installation) => {
      const { id, termsId } = await findScreen(installation, args);
      return (await installation.screens.listTerms(id)).map((version) => ({
        version: version.version,
        in_force: version.id === termsId,
        created_at: toTime(version.createdAtMs),
        sha256: version.hash,
        text: version.text,
      }));
    });
    if (args.has('json')) printJson(versions);
    else if (versions.length === 0) print('No terms. Set them: gastpass screens set ID --terms-file FILE');
    else print(...versions.flatMap(toLines));
  },
};

interface Version {
  version: number;
  in_force: boolean;
  created_at: string | null;
  sha256: string;
  text: string;
}

function toLines({ version, in_force, created_at, sha256, text }: Version, index: number): string[] {
  const head = `version ${version}, ${created_at}${in_force ? ', in force' : ''}, SHA-256 ${sha256}`;
  return [...(index > 0 ? [''] : []), head, ...text.split('\n').map((line) => `  ${line}`.trimEnd())];
}

export const screenDetailCommands = [address, renewAddress, terms];
