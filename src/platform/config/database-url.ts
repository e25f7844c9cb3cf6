// Says what is wrong with the address of a PostgreSQL database. The address may contain a password, so it is not
// repeated.

/** Describes a valid address, or returns undefined if this address is valid. */
export function expectedDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\/./.test(text)) return 'an address such as postgres://user@host/name';
  if (hasSeveralHosts(text))
    return 'one host: the driver cannot choose among several; name a proxy or a host name that leads to the primary (docs/postgresql.md)';
  return URL.canParse(text) ? undefined : 'an address such as postgres://user@host/name';
}

/**
 * libpq accepts a list of hosts before the path or in the parameter `host`. Before the path, only the text after the
 * last `@` is checked, because a password may contain commas.
 */
function hasSeveralHosts(text: string): boolean {
  const [, authority = '', query = ''] = /^\w+:\/\/([^/?]*)[^?]*\??(.*)$/.exec(text) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  return hosts.includes(',') || new URLSearchParams(query).get('host')?.includes(',') === true;
}
