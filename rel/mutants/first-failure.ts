// A reporter that writes one line for each failed test, so that a run can be stopped at the first one.

import type { TestEvent } from 'node:test/reporters';

export default async function* sayFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if (type === 'test:fail') yield `${JSON.stringify({ name: data.name, file: data.file })}\n`;
}
