// The details of audit entries as JSON. Entries of earlier releases, which may still be running, have only the text.

export function auditDetails(): string[] {
  return ['alter table audit add column details text'];
}
