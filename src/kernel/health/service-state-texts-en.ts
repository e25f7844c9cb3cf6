// What `gastpass doctor` says about the machine and the service. The web pages do not show these texts.

import type { AnyFact, OtherResponder } from './finding.ts';
import { type SaidOf, titled } from './health-said.ts';
import { DATABASE, DISK, SECRET } from './health-texts-en.ts';

const WAYS = 'with gastpass serve, or systemctl start gastpass';
const START = `start the service ${WAYS}`;
const FREE_PORT = `Stop that program, or set another PORT; then ${START}`;

const TITLES = { secret: SECRET, database: DATABASE, 'database and secret': 'Database and secret' };
const RESPONDERS: Record<OtherResponder, string> = {
  nothing: 'Nothing',
  'another program': 'Another program',
};

export const saidOfService = {
  'node-installed': ({ version }) => ({
    title: 'Node',
    text: `${version}; a running service keeps the Node that it was started with`,
  }),
  'not-examined': ({ part, detail }) => ({
    title: part.replace(/^\w/, (first) => first.toUpperCase()),
    text: 'Could not be examined.',
    detail,
  }),
  'not-opened': ({ what, detail }) => ({ title: TITLES[what], text: 'Cannot be opened.', detail }),
  ...titled(DATABASE, {
    'database-disk': ({ reason, detail }) => ({
      ...DISK[reason],
      ...(detail && { text: 'Cannot be written.', detail }),
    }),
    'database-damaged': ({ path, detail }) => ({
      text: `${path} is damaged.`,
      todo: DISK.damaged.todo,
      detail,
    }),
  }),
  ...titled('Service', {
    'service-running': ({ url, version }) => ({ text: `Running at ${url}, version ${version}` }),
    'service-on-free-port': () => ({ text: 'Running, on a free port because PORT is 0' }),
    'service-not-asked': () => ({ text: 'Not examined, because PORT is 0' }),
    'service-of-sqlite': ({ folder }) => ({
      text: `DATABASE_URL is set, but the service on ${folder} still runs with the SQLite database there.`,
      todo: 'Restart it; or wait, if gastpass move, restore or migrate is running.',
    }),
    'service-silent': ({ url }) => ({
      text: `Accepts connections at ${url}, but does not answer.`,
      todo: 'Restart it.',
    }),
    'service-elsewhere': ({ url, responder }) => ({
      text: `Running, but ${responder} answers at ${url}.`,
      todo: 'Run doctor with the HOST and PORT of the service.',
    }),
    'service-stopped': () => ({ text: 'Not running.', todo: `Start it ${WAYS}.` }),
    'service-stopped-port-taken': ({ url }) => ({
      text: `Not running, and another program uses ${url}.`,
      todo: `${FREE_PORT}.`,
    }),
    'service-of-other-folder': ({ url }) => ({
      text: `Not running on this data folder, but another Gastpass answers at ${url}.`,
      todo: `Run doctor with the DATA_DIR of that one. Or stop it, or set another PORT; then ${START}.`,
    }),
    // The service may run as an instance of the systemd template unit. Its name is then `gastpass@<port>`.
    'instance-away': ({ url, port, responder }) => ({
      text: `${RESPONDERS[responder]} answers at ${url}.`,
      todo:
        responder === 'nothing'
          ? `If the service is stopped, start it ${WAYS} or gastpass@${port}; otherwise run doctor where it runs, with its HOST and PORT.`
          : `${FREE_PORT} or gastpass@${port}.`,
    }),
    'service-outdated': ({ url, version, installed }) => ({
      text: `Running at ${url} with ${version ? `version ${version}` : 'an older release'}, but ${installed} is installed.`,
      todo: 'Restart it.',
    }),
    'service-not-ready': ({ url, obstacles, reason, isPassing }) => ({
      text: `Running at ${url}, but not ready (${obstacles}).`,
      todo: isPassing ? 'Wait.' : reason ? DISK[reason].todo : 'Its log says why.',
    }),
  }),
} satisfies Partial<SaidOf<AnyFact>>;
