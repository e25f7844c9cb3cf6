// English messages about settings of the service's environment: where they are set, for each way to install the
// service.

import type { EnvironmentMessages } from './environment-texts-de.ts';

const RUN = 'Stop the service in its terminal, and start it like this, together with its other settings:';

export const environmentEn: EnvironmentMessages = {
  title: 'Settings of the environment',
  what: (name) => `${name} is a setting of the service’s environment and cannot be changed in the browser.`,
  change: {
    'settings-file': 'On the server, add or change this line in /etc/gastpass.env:',
    'compose-file': 'In compose.yaml, add or change this line under “environment”:',
    'npm-command': RUN,
    'clone-command': RUN,
  },
  remove: {
    'settings-file': (name) => `On the server, remove the line with ${name} from /etc/gastpass.env.`,
    'compose-file': (name) => `In compose.yaml, remove the line with ${name} under “environment”.`,
    'npm-command': (name) => `Stop the service in its terminal, and start it without ${name}.`,
    'clone-command': (name) => `Stop the service in its terminal, and start it without ${name}.`,
  },
  restart: 'Then restart the service:',
  guide: 'Guide: settings of the environment',
};
