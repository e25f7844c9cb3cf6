// A service in its own process, which can be killed, with shortened times for notifications and mails.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url));

export interface PacedService {
  url: string;
  isRunning(): boolean;
  /** Kills the service as a power cut would, and waits until it has ended. */
  kill(): Promise<void>;
}

/** `pace` scales the times; 1 is real time. */
export async function startPacedService(
  environment: Record<string, string>,
  pace: number,
): Promise<PacedService> {
  const child = spawn(process.execPath, [SERVE, String(pace)], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the service ended with ${code}`);
  });
  const [url] = await Promise.race([once(child.stdout, 'data'), ended]);
  // From here on the run itself ends the service, so its end is not an error.
  ended.catch(() => {});
  const isRunning = () => !child.killed && child.exitCode === null && child.signalCode === null;
  return {
    url: String(url).trim(),
    isRunning,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const killed = once(child, 'exit');
      child.kill('SIGKILL');
      await killed;
    },
  };
}
