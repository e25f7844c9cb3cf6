// Refuses to run on a database that a newer release has written: it may hold what we would damage.

export class NewerSchema extends Error {
  constructor(found: number, known: number) {
    super(
      `the database has schema version ${found}, this release knows ${known}: start the newer release, or restore a backup made before the upgrade`,
    );
    this.name = 'NewerSchema';
  }
}
