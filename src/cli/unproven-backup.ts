// What it means if a passphrase does not prove that a backup is unchanged.

interface Backup {
  isAuthentic: boolean;
  header: { secret: object | null; formatVersion: number };
}

/** Undefined if the backup is authentic. */
export function sayUnproven({ isAuthentic, header }: Backup): string | undefined {
  if (isAuthentic) return undefined;
  return `nothing proves that this backup is unchanged, because ${reasonOf(header)}: anyone who could change the file could have changed accounts and keys in it`;
}

function reasonOf({ secret, formatVersion }: Backup['header']): string {
  if (secret === null) return 'it was made without a passphrase';
  return formatVersion === 1 ? 'an earlier release made it' : 'no passphrase was given';
}
