// `gastpass sites …`: add, list, change and test sites.

import { CONTROLLER_KINDS } from '../../domain/controller.ts';
import { asSiteId, type SiteId } from '../../domain/ids.ts';
import type { NewSite, Site } from '../../domain/sites/site.ts';
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
import {
  ACCESS_HELP,
  ACCESS_OPTIONS,
  ACCESS_USAGE,
  changeAccess,
  namesAccess,
  readAccess,
} from '../read-access.ts';
import { actor, withInstallation } from '../with-installation.ts';

const DEFAULT_CONTROLLER_SITE = 'default';
const CHECK_MS = 20_000;

function siteIdOf(args: Arguments): SiteId {
  const text = positional(args, 0);
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new WrongUsage(`"${text}" is no site id; see npx gastpass sites list`);
  return asSiteId(Number(text));
}

function warnIfInsecure(args: Arguments): void {
  if (args.values.insecure)
    console.error('gastpass: warning: the certificate of this controller is not verified');
}

/** Two sites for one place would claim each other's vouchers. */
function refuseTwin(site: NewSite, others: Site[]): void {
  const twin = others.find(
    ({ access, controllerSite }) =>
      access && access.url === site.access?.url && controllerSite === site.controllerSite,
  );
  if (twin)
    throw new CommandFailed(`site ${twin.id} (${twin.name}) already stands for this site of the controller`);
}

const noSuchSite = (id: SiteId) => new CommandFailed(`there is no site ${id}; see npx gastpass sites list`);

const add: Command = {
  name: 'sites add',
  summary: 'Add a site and print its id, the number used as site_id in requests.',
  usage: `--name NAME --controller ${CONTROLLER_KINDS.join('|')} [--site REF] ${ACCESS_USAGE} [--inactive]`,
  help: [
    'REF is the name of the site on its controller; the default is "default".',
    ACCESS_HELP,
    'On the simulator a REF of fail:refuse, fail:unreachable, fail:nothing, fail:no-code, fail:time-out,',
    'fail:lose-answer or fail:throw makes every voucher fail in that way, to try out how a client copes.',
  ].join('\n'),
  options: {
    name: { type: 'string' },
    controller: { type: 'string' },
    site: { type: 'string' },
    inactive: { type: 'boolean' },
    ...ACCESS_OPTIONS,
  },
  positionals: [],
  prints: true,
  async run(args) {
    const name = requiredOption(args, 'name');
    const controllerKind = choiceOption(args, 'controller', CONTROLLER_KINDS);
    if (!controllerKind) throw new WrongUsage(`--controller is missing: ${CONTROLLER_KINDS.join(', ')}`);
    const site: NewSite = {
      name,
      active: !args.values.inactive,
      controllerKind,
      controllerSite: textOption(args, 'site') ?? DEFAULT_CONTROLLER_SITE,
      access: await readAccess(args, controllerKind),
    };
    const id = await withInstallation(async ({ sites, clock }) => {
      refuseTwin(site, await sites.list());
      return sites.add(site, { actor: actor(), atMs: clock.nowMs() });
    });
    warnIfInsecure(args);
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
    const rows = sites.map(({ id, name, active, controllerKind, controllerSite, access }) => ({
      id,
      name,
      active,
      controller: controllerKind,
      site: controllerSite,
      url: access?.url ?? null,
      certificate: access?.trust.kind ?? null,
    }));
    if (args.values.json) printJson(rows);
    else printTable(rows, 'No sites yet. Add one: npx gastpass sites add --name NAME --controller simulator');
  },
};

const set: Command = {
  name: 'sites set',
  summary: 'Rename a site, switch it on or off, or change how its controller is reached.',
  usage: `<id> [--name NAME] [--site REF] ${ACCESS_USAGE} [--active | --inactive]`,
  help: ACCESS_HELP,
  options: {
    name: { type: 'string' },
    site: { type: 'string' },
    active: { type: 'boolean' },
    inactive: { type: 'boolean' },
    ...ACCESS_OPTIONS,
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
    if (Object.keys(change).length === 0 && !namesAccess(args))
      throw new WrongUsage('nothing to change; see npx gastpass sites set --help');

    await withInstallation(async ({ sites, clock }) => {
      const site = await sites.find(id);
      if (!site) throw noSuchSite(id);
      const access = namesAccess(args) && { access: await changeAccess(args, site) };
      const others = (await sites.list()).filter((other) => other.id !== id);
      refuseTwin({ ...site, ...change, ...access }, others);
      await sites.change(id, { ...change, ...access }, { actor: actor(), atMs: clock.nowMs() });
    });
    warnIfInsecure(args);
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
      const failure = await controllerOf(site).check(AbortSignal.timeout(CHECK_MS));
      if (args.values.json) printJson({ id, ok: !failure, ...(failure && { problem: failure.text }) });
      if (failure) throw new CommandFailed(`${site.name}: ${failure.text}`);
      if (!args.values.json) console.log(`${site.name}: works`);
    });
  },
};

export const siteCommands = [add, list, set, test];
