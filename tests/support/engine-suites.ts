// Which suites run once, and why. Every other test below `tests/`, also one that is added later, runs on
// both engines. This is the only place that decides it.

/** Files or folders. One that is not there ends the run. */
export const suitesThatRunOnce: Record<string, string[]> = {
  'are part of npm run check': ['tests/tidy'],
  'know no database': ['src', 'tests/simulator'],
  'choose their engines themselves': ['tests/cli/move.test.ts', 'tests/instances', 'tests/storage'],
  'are over before a database is opened': [
    'tests/cli/faulty-configuration.test.ts',
    'tests/cli/help.test.ts',
    'tests/cli/wrong-usage.test.ts',
  ],
  'take half a minute, as does the one of their kind that runs on both': [
    'tests/unifi/fault-matrix/unifi-classic-on-console.test.ts',
    'tests/unifi/fault-matrix/unifi-classic-on-server.test.ts',
  ],
  'run on a store in memory': [
    'tests/api/bad-input/generated-bodies.test.ts',
    'tests/faults/simulated-schedules.test.ts',
  ],
  'look into the tables of SQLite themselves': [
    'tests/cli/sync.test.ts',
    'tests/cli/sync-states.test.ts',
    'tests/unifi/foreign-vouchers.test.ts',
    'tests/unifi/large-site.test.ts',
    'tests/unifi/sync-of-bad-lists.test.ts',
    'tests/unifi/sync-under-way.test.ts',
    'tests/unifi/usage-sync.test.ts',
  ],
  'are about the files of SQLite': [
    'tests/cli/files-of-the-data-folder.test.ts',
    'tests/faults/full-disk.test.ts',
  ],
};
