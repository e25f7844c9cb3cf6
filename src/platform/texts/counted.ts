// Says how many things there are of each kind, such as "2 printers (“Bar”, “Lobby”)" and "1 batch".

interface Labels {
  /** The plural of each kind. */
  fields: Record<string, string>;
  single: Record<string, string>;
  quoted: (name: string) => string;
}

export interface Counted {
  counts?: Record<string, number> | undefined;
  /** For a kind with many things, only some of the names. */
  names?: Record<string, string[]> | undefined;
}

export function sayCounted(
  { fields, single, quoted }: Labels,
  { counts = {}, names = {} }: Counted,
  locale: string,
): string[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const label = (count === 1 && single[kind]) || (fields[kind] ?? kind);
      const named = names[kind]?.map(quoted) ?? [];
      if (named.length > 0 && named.length < count) named.push('…');
      return `${count.toLocaleString(locale)} ${label}${named.length > 0 ? ` (${named.join(', ')})` : ''}`;
    });
}
