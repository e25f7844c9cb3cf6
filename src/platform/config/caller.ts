// The operating-system user who runs a command. If it runs with `sudo`, this is the user who called `sudo`.

import { userInfo } from 'node:os';

const USER_NAME = /^[\w.@-]{1,64}$/;

/** SUDO_USER can be forged, but whoever can set it for a command can also change the database. */
export function readCaller({ SUDO_USER: name = '' }: NodeJS.ProcessEnv = process.env): string {
  return USER_NAME.test(name) ? name : userInfo().username;
}
