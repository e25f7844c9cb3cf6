// The operating-system user who runs a command: behind `sudo` the user who called it, not the user it switched to.

import { userInfo } from 'node:os';

const USER_NAME = /^[\w.@-]{1,64}$/;

/** The variable proves nothing, but whoever can set it can also change the database. */
export function readCaller({ SUDO_USER: name = '' }: NodeJS.ProcessEnv = process.env): string {
  return USER_NAME.test(name) ? name : userInfo().username;
}
