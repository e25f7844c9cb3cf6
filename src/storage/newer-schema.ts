// The error for a database that a newer release has migrated. This release refuses to run on it, because it could
// damage data that it does not know.

export class NewerSchema extends Error {
  constructor(found: number, known: number) {
    super(
      `the database has schema version ${found}, this release knows ${known}: start the newer release, or restore a backup made before the upgrade`,
    );
    this.name = 'NewerSchema';
  }
}
