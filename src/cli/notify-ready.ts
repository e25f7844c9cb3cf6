// Tells systemd that the service is ready, with the program systemd-notify: Node has no datagram sockets of this kind.

import { execFile } from 'node:child_process';
import type { Log } from '../domain/log.ts';

/** Never fails: a service that systemd does not know to be ready serves all the same. */
export function notifyReady(log: Log): void {
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error) log.warn({ err: error }, 'systemd was not told that the service is ready');
  });
}
