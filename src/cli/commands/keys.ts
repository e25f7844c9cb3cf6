// `gastpass keys …`: issue, list, change and revoke API keys.

import { asKeyId, type KeyId } from '../../domain/ids.ts';
import { keyIdOf, MAX_RATE_LIMIT } from '../../domain/keys/api-key.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  choiceOption,
  integerOption,
  positional,
  requiredOption,
  WrongUsage,
} from '../command.ts';
import { printJson, printTable, toTime } from '../print.ts';
import { auditContext, withInstallation } from '../with-installation.ts';

const SCOPES = ['read', 'write'] as const;
const noSuchKey = (id: string) => new CommandFailed(`there is no active key "${id}"; see gastpass keys list`);

/** Accepts the id of a key or the whole key, which contains the id. */
function keyIdFrom(args: Arguments): KeyId {
  const text = positional(args, 0);
  return keyIdOf(text) ?? asKeyId(text);
}

const create: Command = {
  name: 'keys create',
  summary: 'Issue an API key. Its text is printed this once and cannot be shown again.',
  usage: '--name NAME --scope read|write [--rate-limit PER_MINUTE]',
  help: 'write includes read. A rate limit of 0, the default, means unlimited.',
  options: { name: { type: 'string' }, scope: { type: 'string' }, 'rate-limit': { type: 'string' } },
  positionals: [],
  prints: true,
  async run(args) {
    const name = requiredOption(args, 'name');
    const scope = choiceOption(args, 'scope', SCOPES);
    if (!scope) throw new WrongUsage('--scope is missing: read or write');
    const rateLimit = integerOption(args, 'rate-limit', MAX_RATE_LIMIT) ?? 0;

    const { key, keyText } = await withInstallation(({ issueKey, clock }) =>
      issueKey({ name, scope, rateLimit }, auditContext({ clock })),
    );
    if (args.values.json) printJson({ id: key.id, name, scope, rate_limit: rateLimit, key: keyText });
    else console.log(keyText);
  },
};

const list: Command = {
  name: 'keys list',
  summary: 'List all API keys.',
  usage: '',
  options: {},
  positionals: [],
  prints: true,
  async run(args) {
    const keys = await withInstallation((installation) => installation.keys.list());
    const rows = keys.map((key) => ({
      id: key.id,
      name: key.name,
      scope: key.scope,
      rate_limit: key.rateLimit,
      created_at: toTime(key.createdAtMs),
      last_used_at: toTime(key.lastUsedAtMs),
      revoked_at: toTime(key.revokedAtMs),
    }));
    if (args.values.json) printJson(rows);
    else printTable(rows, 'No keys yet. Issue one: gastpass keys create --name NAME --scope write');
  },
};

const set: Command = {
  name: 'keys set',
  summary: 'Change the scope or the rate limit of a key. Takes effect with the next request.',
  usage: '<id> [--rate-limit PER_MINUTE] [--scope read|write]',
  options: { scope: { type: 'string' }, 'rate-limit': { type: 'string' } },
  positionals: ['id'],
  prints: false,
  async run(args) {
    const id = keyIdFrom(args);
    const scope = choiceOption(args, 'scope', SCOPES);
    const rateLimit = integerOption(args, 'rate-limit', MAX_RATE_LIMIT);
    if (scope === undefined && rateLimit === undefined)
      throw new WrongUsage('nothing to change: give --rate-limit or --scope');

    const change = { ...(scope && { scope }), ...(rateLimit !== undefined && { rateLimit }) };
    const changed = await withInstallation(({ keys, clock }) =>
      keys.change(id, change, auditContext({ clock })),
    );
    if (!changed) throw noSuchKey(id);
  },
};

const revoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke a key for good. Takes effect with the next request.',
  usage: '<id>',
  options: {},
  positionals: ['id'],
  prints: false,
  async run(args) {
    const id = keyIdFrom(args);
    const revoked = await withInstallation(({ keys, clock }) => keys.revoke(id, auditContext({ clock })));
    if (!revoked) throw noSuchKey(id);
  },
};

export const keyCommands = [create, list, set, revoke];
