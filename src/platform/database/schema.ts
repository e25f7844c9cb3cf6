// The tables for Kysely. Each noun adds its own tables, in its file `*-tables.ts`. Points in time are Unix times; the
// suffix gives the unit: `_ms` for milliseconds, `_s` for seconds. Boolean columns hold 1 and 0, which both engines
// store alike.

export interface PlatformTables {
  settings: { name: string; value: string };
  leases: { name: string; holder: string; until_ms: number };
}

export interface Tables extends PlatformTables {}
