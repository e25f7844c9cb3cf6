// Says what to do if the operating system does not let this process use a file or a folder.

const OWNER = "let the service's user access it with chown and chmod, or run the command as that user";
const FULL = 'its disk is full: delete files there, or enlarge it';

const ADVICE = new Map([
  ['EACCES', OWNER],
  ['EPERM', OWNER],
  [
    'EROFS',
    'its file system is read-only: mount it writable, and check the disk if the system log reports errors; under systemd, name the folder in ReadWritePaths=',
  ],
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['ENOENT', 'check the path'],
]);

/** The code, and what to do about it: "(EROFS): its file system …". */
export function sayFileCode(code: string): string {
  const advice = ADVICE.get(code);
  return advice ? `(${code}): ${advice}` : `(${code})`;
}

/** Undefined if the error is not about a file, or if there is no advice for its code. */
export function sayFileError(error: unknown): string | undefined {
  const code = errorCodeOf(error) ?? '';
  const advice = ADVICE.get(code);
  if (!advice || !(error instanceof Error)) return undefined;
  if ('path' in error) return `${error.path} cannot be used ${sayFileCode(code)}`;
  // An error on opening a file contains its path, an error on writing does not. Without a path, only the codes of a
  // full disk are certainly about a file. Other codes can be about a port.
  return advice === FULL ? `${error.message}: ${advice}` : undefined;
}

export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** True if the user of this process may not access the file. The command chown or chmod can change that. */
export function isDenied(code: string): boolean {
  return ADVICE.get(code) === OWNER;
}

/** The file or folder that could not be used. */
export function errorPathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error ? String(error.path) : undefined;
}
