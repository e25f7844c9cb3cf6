// What use cases and workers need of a log. The real one (JSON lines, masked) lives in observe/.

type Write = (fields: Record<string, unknown>, message: string) => void;

export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  isLevelEnabled(level: string): boolean;
}
