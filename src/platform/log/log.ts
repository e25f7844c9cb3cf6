// The log interface for use cases and workers. The implementation (JSON lines, secrets masked) is in observe/.

type Write = (fields: Record<string, unknown>, message: string) => void;

export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  isLevelEnabled(level: string): boolean;
}
