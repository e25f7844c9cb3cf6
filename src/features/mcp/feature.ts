// Tools over the Model Context Protocol, for programs such as AI assistants.

import type { Feature } from '../../kernel/feature.ts';

export const mcp = {
  commands: [
    { word: 'mcp', before: 'completion', load: async () => [(await import('./mcp-command.ts')).mcp] },
  ],
} satisfies Feature;
