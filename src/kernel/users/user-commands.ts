// `gastpass users …`: add, list, disable, enable and remove users, set a new password, and remove a second factor.

import {
  type Arguments,
  type Command,
  CommandFailed,
  switches,
  texts,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { print, printError, printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import { readSecretOption } from '../../platform/cli/read-secret.ts';
import { auditContext } from '../command-tools.ts';
import type { Installation } from '../installation.ts';
import { addressesMeant, toEmailAddress } from './email-address.ts';
import { hashPassword, makePassword } from './password.ts';
import { makeSetPassword } from './set-password.ts';
import { isEmail, type User } from './user.ts';
import { findPasswordIssue, PASSWORD_ADVICE } from './weak-password.ts';

const passwordHelp = `Without --password-file a password is made and printed, this once. FILE may be - for standard input. Passwords that are easy to guess are refused.`;

function emailOf(args: Arguments): string {
  const email = args.required('email');
  if (!isEmail(email)) throw new WrongUsage('--email: expected an e-mail address');
  return email;
}

function newEmailOf(args: Arguments, option: string): string {
  const email = toEmailAddress(args.required(option).trim());
  if (email === undefined)
    throw new WrongUsage(`--${option}: expected an e-mail address of plain ASCII, such as karl@example.org`);
  return email;
}

async function findUser({ users }: Pick<Installation, 'users'>, typed: string): Promise<User> {
  const all = await users.list();
  const [user] = addressesMeant(typed).flatMap((email) => all.filter((one) => one.email === email));
  if (!user) throw nobodyWith(typed);
  return user;
}

function nobodyWith(email: string): CommandFailed {
  return new CommandFailed(`there is no user with the e-mail address ${email}; see gastpass users list`);
}

function passwordOf(args: Arguments): { password: string; made: boolean } {
  const password = readSecretOption(args, 'password-file');
  return password === undefined ? { password: makePassword(), made: true } : { password, made: false };
}

async function refuseWeak(
  { password, made }: { password: string; made: boolean },
  { email, name }: { email: string; name: string },
  settings: Installation['settings'],
): Promise<void> {
  if (made) return;
  const { title } = await settings.read();
  const issue = findPasswordIssue(password, { email, name, title });
  if (issue) throw new WrongUsage(PASSWORD_ADVICE[issue]);
}

function tell(args: Arguments, email: string, { password, made }: { password: string; made: boolean }): void {
  if (args.has('json')) printJson({ email, ...(made && { password }) });
  else if (made) print(password);
}

const add: Command = {
  name: 'users add',
  summary: 'Add a user: an operator, or with --admin an administrator.',
  usage: '--email EMAIL --name NAME [--admin] [--password-file FILE]',
  help: passwordHelp,
  options: { ...texts('email', 'name', 'password-file'), ...switches('admin') },
  prints: true,
  async run(args, { withInstallation }) {
    const email = newEmailOf(args, 'email');
    const name = args.requiredName();
    const secret = passwordOf(args);
    const id = await withInstallation(async ({ users, settings, clock }) => {
      await refuseWeak(secret, { email, name }, settings);
      const role = args.has('admin') ? 'admin' : 'operator';
      const passwordHash = await hashPassword(secret.password);
      return users.add(
        { email, name, role, passwordHash, createdAtMs: clock.nowMs() },
        auditContext({ clock }),
      );
    });
    if (id === undefined) throw new CommandFailed(`there is already a user with the e-mail address ${email}`);
    if (!args.has('admin'))
      printError(
        `gastpass: warning: ${email} has no site yet and cannot create vouchers; choose the sites on the page Users`,
      );
    tell(args, email, secret);
  },
};

const resetPassword: Command = {
  name: 'users reset-password',
  summary: 'Set a new password for a user. All sessions of the user end.',
  usage: '--email EMAIL [--password-file FILE]',
  help: passwordHelp,
  options: texts('email', 'password-file'),
  prints: true,
  async run(args, { withInstallation }) {
    const typed = emailOf(args);
    const secret = passwordOf(args);
    const email = await withInstallation(async ({ users, settings, clock }) => {
      const user = await findUser({ users }, typed);
      await refuseWeak(secret, user, settings);
      await makeSetPassword({ users })(user.email, secret.password, { audit: auditContext({ clock }) });
      return user.email;
    });
    tell(args, email, secret);
  },
};

/** A command that acts on one user, who is given by e-mail address. */
function onUser(
  words: Pick<Command, 'name' | 'summary' | 'help'> & Partial<Pick<Command, 'usage' | 'options'>>,
  act: (installation: Installation, user: User, args: Arguments) => Promise<void>,
): Command {
  return {
    ...words,
    usage: ['--email EMAIL', words.usage].filter(Boolean).join(' '),
    options: { ...texts('email'), ...words.options },
    async run(args, { withInstallation }) {
      const email = emailOf(args);
      await withInstallation(async (installation) => {
        await act(installation, await findUser(installation, email), args);
      });
    },
  };
}

function refuseUnlessDone(outcome: 'changed' | 'removed' | 'last-admin' | 'unknown', { email }: User): void {
  if (outcome === 'unknown') throw nobodyWith(email);
  if (outcome === 'last-admin')
    throw new CommandFailed(
      `${email} is the last active administrator; first add another one: gastpass users add --email EMAIL --name NAME --admin`,
    );
}

const removeSecondFactor = onUser(
  {
    name: 'users remove-second-factor',
    summary: 'Remove the second factor of a user who has lost it. The password is then enough to sign in.',
    help: `The recovery codes become invalid, too. If a second factor is required, the user sets up a new one after signing in.`,
  },
  async (installation, user) => {
    if (!(await installation.secondFactors.remove(user, auditContext(installation))))
      throw new CommandFailed(`${user.email} has no second factor`);
  },
);

const unlock = onUser(
  {
    name: 'users unlock',
    summary: 'Let a user sign in again at once after too many failed sign-ins.',
    help: 'Forgets the failed sign-ins of the account. Waits of a whole network end by themselves within 15 minutes.',
  },
  async (installation, { email }) => {
    if (!(await installation.users.unlock(email, auditContext(installation)))) throw nobodyWith(email);
  },
);

async function setActive(installation: Installation, user: User, active: boolean): Promise<void> {
  if (user.active === active) return;
  const change = installation.users.change(user.id, { active }, auditContext(installation));
  refuseUnlessDone(await change, user);
}

const disable = onUser(
  {
    name: 'users disable',
    summary: 'Sign a user out everywhere and refuse new sign-ins. Vouchers of the user stay valid.',
  },
  (installation, user) => setActive(installation, user, false),
);

const enable = onUser(
  { name: 'users enable', summary: 'Let a disabled user sign in again.' },
  (installation, user) => setActive(installation, user, true),
);

const changeEmail = onUser(
  {
    name: 'users change-email',
    summary: 'Change the e-mail address with which a user signs in. Password and sessions stay.',
    usage: '--new-email EMAIL',
    options: texts('new-email'),
  },
  async (installation, user, args) => {
    const email = newEmailOf(args, 'new-email');
    const outcome = await installation.users.changeEmail(user.id, email, auditContext(installation));
    if (outcome === 'unknown') throw nobodyWith(user.email);
    if (outcome === 'taken')
      throw new CommandFailed(`there is already a user with the e-mail address ${email}`);
  },
);

const remove = onUser(
  {
    name: 'users remove',
    summary: 'Remove a user for good. Vouchers of the user stay valid.',
    usage: '[--yes]',
    options: switches('yes'),
    help: [
      'Deletes name, address, password, second factor, sessions and assigned sites of the user. Pages show "Removed',
      'user" as the owner of the vouchers. The audit log and the records of vouchers and notifications keep the name of',
      'that time, until retention deletes them; to erase it there too, run privacy erase. Without --yes nothing is removed.',
    ].join('\n'),
  },
  async (installation, user, args) => {
    if (!args.has('yes'))
      throw new CommandFailed(
        `${user.email} would be removed for good: gastpass users remove --email ${user.email} --yes. To only refuse sign-ins: gastpass users disable --email ${user.email}`,
      );
    refuseUnlessDone(await installation.users.remove(user.id, auditContext(installation)), user);
  },
);

const list: Command = {
  name: 'users list',
  summary: 'List all users.',
  prints: true,
  async run(args, { withInstallation }) {
    const users = await withInstallation((installation) => installation.users.list());
    const rows = users.map(({ email, name, role, active, createdAtMs }) => ({
      email,
      name,
      role: sayKnown(role),
      active,
      created_at: toTime(createdAtMs),
    }));
    if (args.has('json')) printJson(rows);
    else printTable(rows, 'Nobody yet. Add somebody: gastpass users add --email EMAIL --name NAME --admin');
  },
};

export const userCommands = [
  add,
  list,
  resetPassword,
  changeEmail,
  unlock,
  removeSecondFactor,
  disable,
  enable,
  remove,
];
