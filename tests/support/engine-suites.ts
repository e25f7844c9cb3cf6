// Which suites run once, and why; and which run beside the others, since they mostly wait. Every other test below
// `tests/`, also one that is added later, runs on both engines. This is the only place that decides it.

/** Files or folders. One that is not there ends the run. */
export const suitesThatRunOnce: Record<string, string[]> = {
  'know no database': [
    'src',
    'tests/simulator',
    'tests/controllers/failure-causes.test.ts',
    'tests/webhooks/hostile-urls.test.ts',
    'tests/webhooks/hostile-urls-names.test.ts',
    'tests/webhooks/sending.test.ts',
    'tests/webhooks/sending-secrets.test.ts',
    'tests/webhooks/sending-trouble.test.ts',
  ],
  'choose their engines themselves': [
    'tests/long/webhooks/notify-instances.test.ts',
    'tests/cli/move.test.ts',
    'tests/long/instances',
    'tests/storage',
  ],
  'are over before a database is opened': [
    'tests/cli/faulty-configuration.test.ts',
    'tests/cli/help.test.ts',
    'tests/cli/wrong-usage.test.ts',
  ],
  'are about installing': ['tests/long/install'],
  'are about consoles and how they are called': [
    'tests/long/clients',
    'tests/long/fault-matrix',
    'tests/long/unifi/few-logins.test.ts',
    'tests/long/unifi/one-slow-controller.test.ts',
  ],
  'are about what browsers show, whatever lies below': ['tests/browser'],
  'are thin: what they ask of a database is asked on both by tests/storage, and by others of their kind': [
    'tests/cli/first-start-settings.test.ts',
    'tests/cli/keys.test.ts',
    'tests/cli/sites.test.ts',
    'tests/cli/stop.test.ts',
    'tests/cli/sync-states.test.ts',
    'tests/cli/users.test.ts',
    'tests/cli/webhooks.test.ts',
    'tests/cli/webhooks-log.test.ts',
    'tests/web/api-docs.test.ts',
    'tests/web/audit.test.ts',
    'tests/web/authorisation.test.ts',
    'tests/web/authorisation-forms.test.ts',
    'tests/web/export.test.ts',
    'tests/web/hostile-names.test.ts',
    'tests/web/keys.test.ts',
    'tests/web/many-sign-ins.test.ts',
    'tests/web/page-weight.test.ts',
    'tests/web/logo.test.ts',
    'tests/web/overview.test.ts',
    'tests/web/people.test.ts',
    'tests/web/profiles.test.ts',
    'tests/web/second-factor.test.ts',
    'tests/web/second-factor-required.test.ts',
    'tests/web/settings.test.ts',
    'tests/web/sites.test.ts',
    'tests/web/sites-guide.test.ts',
    'tests/web/sites-trouble.test.ts',
    'tests/web/sites-vouched.test.ts',
    'tests/web/slips.test.ts',
    'tests/web/webhooks.test.ts',
  ],
  'run on a store in memory': [
    'tests/faults/simulated-schedules.test.ts',
    'tests/long/simulated-schedules.test.ts',
  ],
  'are about what is read of a request, before a database is asked': [
    'tests/api/bad-input/bodies.test.ts',
    'tests/api/bad-input/broken-off.test.ts',
    'tests/api/bad-input/generated-bodies.test.ts',
    'tests/api/bad-input/generated-requests.test.ts',
  ],
  'are about the files of SQLite': [
    'tests/cli/files-of-the-data-folder.test.ts',
    'tests/faults/full-disk.test.ts',
  ],
};

/** For time-outs, leases and consoles that never answer: the processor is free meanwhile. */
export const suitesThatWait = [
  'tests/long/instances/database-away.test.ts',
  'tests/long/instances/leases.test.ts',
  'tests/long/unifi/one-slow-controller.test.ts',
  'tests/long/webhooks/notify-instances.test.ts',
];
