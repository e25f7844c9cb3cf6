// Finds the screen that the first argument of a command names.

import { asScreenId, type ScreenId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import { type Arguments, CommandFailed, readNumber } from '../../platform/cli/command.ts';
import type { Screen } from './screen.ts';

export const screenIdFrom = (args: Arguments) => asScreenId(readNumber(args.positional(0), 'screen'));

export const noSuchScreen = (id: ScreenId) =>
  new CommandFailed(`there is no screen ${id}; see gastpass screens list`);

export async function findScreen(
  { screens }: Pick<Installation, 'screens'>,
  args: Arguments,
): Promise<Screen> {
  const id = screenIdFrom(args);
  const screen = await screens.find(id);
  if (!screen) throw noSuchScreen(id);
  return screen;
}
