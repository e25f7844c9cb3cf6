// The median of measurements, which one disturbed round does not distort.

export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (lower === undefined || upper === undefined) throw new Error('nothing was measured');
  return (lower + upper) / 2;
}
