// Splits long lists into slices. Each slice is handled in one query or one transaction, and other requests run in
// between.

export function* slicesOf<Item>(items: Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
