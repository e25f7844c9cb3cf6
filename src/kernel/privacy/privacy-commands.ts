// `gastpass privacy …`: finds, exports and erases what is stored about a person.

import {
  type Arguments,
  type Command,
  CommandFailed,
  switches,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { print, printError, printJson, printTable } from '../../platform/cli/print.ts';
import { auditContext } from '../command-tools.ts';
import type { Installation } from '../installation.ts';
import type { Mention } from './personal-data.ts';
import { makePersonalText, type PersonalText, type TextRefusal } from './personal-text.ts';

const FOUND_AS =
  'TEXT is a name, an e-mail address or an IP address. Only whole words match; upper and lower case do not matter.';
const OUT_OF_REACH = `Not searched: log files, backups, messages that webhooks have already sent, and vouchers that only a controller knows. See docs/data-protection.md.`;

const ADVICE: Record<string, string> = {
  users: 'kept: gastpass users remove',
  identities: 'kept: page Single sign-on',
  single_sign_on: 'kept: page Single sign-on',
  web_sessions: 'kept: deleted when the session ends',
  intents: 'kept: try again in ten minutes',
  api_keys: 'kept: page API keys',
  sites: 'kept: page Sites',
  profiles: 'kept: page Profiles',
  webhooks: 'kept: page Webhooks',
  site_slips: 'kept: page Slip of the site',
  mail_server: 'kept: page E-mail of the settings',
  mail_texts: 'kept: page E-mail texts of the site',
  settings: 'kept: page Settings',
  sign_in_failures: 'kept: deleted after a few hours',
};

const REFUSALS: Record<TextRefusal, string> = {
  'too-short': 'TEXT must have at least three characters',
  number:
    'TEXT is a number, which records also contain as an id: expected a name, an e-mail or an IP address',
  'fixed-word': 'TEXT is a word that records have by themselves: expected a name, an e-mail or an IP address',
};

function textOf(args: Arguments): PersonalText {
  const text = makePersonalText(args.positional(0));
  if (!text.ok) throw new WrongUsage(REFUSALS[text.problem]);
  return text.value;
}

function adviceOn({ table, erasure, listed }: Mention): string {
  if (listed) return 'with --revoke: its controller still lists it';
  return erasure === 'possible' ? 'possible' : (ADVICE[table] ?? 'kept');
}

const find: Command = {
  name: 'privacy find',
  summary: 'Count the records that contain a name, an e-mail address or an IP address.',
  usage: 'TEXT',
  help: FOUND_AS,
  positionals: ['TEXT'],
  prints: true,
  async run(args, { withInstallation }) {
    const text = textOf(args);
    const counts = new Map<string, { table: string; found: number; erasure: string }>();
    await withInstallation(async ({ openPersonalData }) => {
      for await (const mention of (await openPersonalData()).find(text)) {
        const { table } = mention;
        const erasure = adviceOn(mention);
        const count = counts.get(table + erasure) ?? { table, found: 0, erasure };
        counts.set(table + erasure, { ...count, found: count.found + 1 });
      }
    });
    const rows = [...counts.values()];
    if (args.has('json')) return printJson(rows);
    printTable(rows, 'Nothing found.');
    print('', OUT_OF_REACH);
  },
};

const exportAll: Command = {
  name: 'privacy export',
  summary: 'Print the records that contain a name, an e-mail address or an IP address, as JSON.',
  usage: 'TEXT',
  help: `${FOUND_AS}\nPasswords, keys and other secrets are left out.`,
  positionals: ['TEXT'],
  prints: true,
  async run(args, { withInstallation }) {
    const text = textOf(args);
    const records = await withInstallation(async ({ openPersonalData }) => {
      const found: Pick<Mention, 'table' | 'row'>[] = [];
      for await (const { table, row } of (await openPersonalData()).find(text)) found.push({ table, row });
      return found;
    });
    printJson(records);
    printError(`gastpass: ${OUT_OF_REACH}`);
  },
};

const erase: Command = {
  name: 'privacy erase',
  summary: 'Replace a name, an e-mail address or an IP address in stored records with "[erased]".',
  usage: 'TEXT --yes [--revoke]',
  help: [
    FOUND_AS,
    'Look at the records first: gastpass privacy export TEXT',
    'A controller cannot change the name of a voucher. With --revoke the vouchers found are deleted from their',
    'controllers, so guests can no longer use them; without it, vouchers that a controller still lists keep their name.',
    'Users and settings are kept: remove or change them first. Log files, backups and sent messages are not reached.',
  ].join('\n'),
  options: switches('yes', 'revoke'),
  positionals: ['TEXT'],
  prints: true,
  async run(args, { withInstallation }) {
    const text = textOf(args);
    if (!args.has('yes'))
      throw new WrongUsage(
        'this cannot be undone; look at the records with gastpass privacy export, then add --yes',
      );
    await withInstallation(async (installation) => {
      const personalData = await installation.openPersonalData();
      const refused = args.has('revoke') ? await revoke(installation, personalData.find(text)) : [];
      const erased = await personalData.erase(text, auditContext(installation));
      const rows = Object.entries(erased).map(([table, records]) => ({ table, erased: records }));
      if (args.has('json')) printJson(rows);
      else printTable(rows, 'Nothing was erased.');
      const left = await countOf(personalData.find(text));
      if (left > 0 || refused.length > 0)
        throw new CommandFailed(
          ...refused,
          `the text is still in ${left} ${left === 1 ? 'record' : 'records'}; see gastpass privacy find`,
        );
    });
  },
};

async function revoke(installation: Installation, mentions: AsyncIterable<Mention>): Promise<string[]> {
  const [{ revokeMentioned }, { makeRevocationUseCases }] = await Promise.all([
    import('./personal-data.ts'),
    import('../vouchers/revocation-use-cases.ts'),
  ]);
  const { revokeVoucher } = makeRevocationUseCases(installation);
  const { failures } = await revokeMentioned(mentions, { revokeVoucher, audit: auditContext(installation) });
  return failures.map(
    ({ voucher, reason }) => `voucher ${voucher.id} of site ${voucher.siteId} was not revoked: ${reason}`,
  );
}

async function countOf(mentions: AsyncIterable<Mention>): Promise<number> {
  let count = 0;
  for await (const _ of mentions) count += 1;
  return count;
}

export const privacyCommands = [find, exportAll, erase];
