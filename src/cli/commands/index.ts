// All commands, in the order in which the overview lists them.

import type { Command } from '../command.ts';
import { deliveryCommands } from './deliveries.ts';
import { doctor } from './doctor.ts';
import { keyCommands } from './keys.ts';
import { migrate } from './migrate.ts';
import { move } from './move.ts';
import { rekey } from './rekey.ts';
import { serve } from './serve.ts';
import { simulateController } from './simulate-controller.ts';
import { siteCommands } from './sites.ts';
import { sync } from './sync.ts';
import { userCommands } from './users.ts';
import { version } from './version.ts';
import { webhookCommands } from './webhooks.ts';

export const commands: Command[] = [
  serve,
  ...keyCommands,
  ...siteCommands,
  ...userCommands,
  ...webhookCommands,
  ...deliveryCommands,
  sync,
  doctor,
  migrate,
  move,
  rekey,
  simulateController,
  version,
];
