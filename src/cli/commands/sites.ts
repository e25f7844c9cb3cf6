// `gastpass sites …`: add, list, change and test sites.

import { CONTROLLER_KINDS } from '../../domain/controller.ts';
import { asSiteId, type SiteId } from '../../domain/ids.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  choiceOption,
  positional,
  requiredOption,
  textOption,
  WrongUsage,
} from '../command.ts';
import { printJson, printTable } from '../print.ts';
import { actor, withInstallation } from '../with-installation.ts';

const DEFAULT_CONTROLLER_SITE = 'default';

function siteIdOf(args: Arguments): SiteId {
  const text = positional(args, 0);
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new WrongUsage(`"${text}" is no site id; see npx gastpass sites list`);
  return asSiteId(Number(text));
}

const noSuchSite = (id: SiteId) => new CommandFailed(`there is no site ${id}; see npx gastpass sites list`);

const add: Command = {
  name: 'sites add',
  summary: 'Add a site and print its id, the number used as site_id in requests.',
  usage: `--name NAME --controller ${CONTROLLER_KINDS.join('|')} [--site REF] [--inactive]`,
  help: [
    'REF is the name of the site on its controller; the default is "default".',
    'On the simulator a REF of fail:refuse, fail:unreachable, fail:nothing, fail:no-code, fail:time-out,',
    'fail:lose-answer or fail:throw makes every voucher fail in that way, to try out how a client copes.',
  ].join('\n'),
  options: {
    name: { type: 'string' },
    controller: { type: 'string' },
    site: { type: 'string' },
    inactive: { type: 'boolean' },
  },
  positionals: [],
  prints: true,
  async run(args) {
    const name = requiredOption(args, 'name');
    const controllerKind = choiceOption(args, 'controller', CONTROLLER_KINDS);
    if (!controllerKind) throw new WrongUsage(`--controller is missing: ${CONTROLLER_KINDS.join(', ')}`);
    const site = {
      name,
      active: !args.values.inactive,
      controllerKind,
      controllerSite: textOption(args, 'site') ?? DEFAULT_CONTROLLER_SITE,
    };
    const id = await withInstallation(({ sites, clock }) =>
      sites.add(site, { actor: actor(), atMs: clock.nowMs() }),
    );
    if (args.values.json) printJson({ id });
    else console.log(id);
  },
};

const list: Command = {
  name: 'sites list',
  summary: 'List all sites.',
  usage: '',
  options: {},
  positionals: [],
  prints: true,
  async run(args) {
    const sites = await withInstallation((installation) => installation.sites.list());
    const rows = sites.map(({ id, name, active, controllerKind, controllerSite }) => ({
      id,
      name,
      active,
      controller: controllerKind,
      site: controllerSite,
    }));
    if (args.values.json) printJson(rows);
    else printTable(rows, 'No sites yet. Add one: npx gastpass sites add --name NAME --controller simulator');
  },
};

const set: Command = {
  name: 'sites set',
  summary: 'Rename a site, switch it on or off, or point it to another site of its controller.',
  usage: '<id> [--name NAME] [--site REF] [--active | --inactive]',
  options: {
    name: { type: 'string' },
    site: { type: 'string' },
    active: { type: 'boolean' },
    inactive: { type: 'boolean' },
  },
  positionals: ['id'],
  prints: false,
  async run(args) {
    const id = siteIdOf(args);
    const name = textOption(args, 'name');
    const controllerSite = textOption(args, 'site');
    const { active, inactive } = args.values;
    if (active && inactive) throw new WrongUsage('--active and --inactive exclude each other');
    const change = {
      ...(name !== undefined && { name }),
      ...(controllerSite !== undefined && { controllerSite }),
      ...((active || inactive) && { active: active === true }),
    };
    if (Object.keys(change).length === 0)
      throw new WrongUsage('nothing to change; see npx gastpass sites set --help');

    const changed = await withInstallation(({ sites, clock }) =>
      sites.change(id, change, { actor: actor(), atMs: clock.nowMs() }),
    );
    if (!changed) throw noSuchSite(id);
  },
};

const test: Command = {
  name: 'sites test',
  summary: "Ask a site's controller whether it would accept a voucher now.",
  usage: '<id>',
  options: {},
  positionals: ['id'],
  prints: true,
  async run(args) {
    const id = siteIdOf(args);
    await withInstallation(async ({ sites, controllerOf }) => {
      const site = await sites.find(id);
      if (!site) throw noSuchSite(id);
      const failure = await controllerOf(site).check();
      if (args.values.json) printJson({ id, ok: !failure, ...(failure && { problem: failure.text }) });
      if (failure) throw new CommandFailed(`${site.name}: ${failure.text}`);
      if (!args.values.json) console.log(`${site.name}: works`);
    });
  },
};

export const siteCommands = [add, list, set, test];
