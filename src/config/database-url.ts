// Says what is wrong with the address of a PostgreSQL database, without repeating it: it may contain a password.

/** What was expected instead of this address, or undefined if it is good. */
export function expectedDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\/./.test(text)) return 'an address such as postgres://user@host/name';
  if (hasSeveralHosts(text))
    return 'one host: the driver cannot choose among several; name a proxy or a host name that leads to the primary (docs/postgresql.md)';
  return URL.canParse(text) ? undefined : 'an address such as postgres://user@host/name';
}

/** libpq takes a list of hosts before the path or in the parameter `host`. A password may contain commas, too. */
function hasSeveralHosts(text: string): boolean {
  const [, authority = '', query = ''] = /^\w+:\/\/([^/?]*)[^?]*\??(.*)$/.exec(text) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  return hosts.includes(',') || new URLSearchParams(query).get('host')?.includes(',') === true;
}
