// Tests that the completion scripts contain every command, every option and the values that a usage lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '../kernel/controllers/kinds.ts';
import { loadCommands } from './commands.ts';
import { completionScript, SHELLS } from './completion.ts';

const commands = await loadCommands();

for (const shell of SHELLS)
  test(`the script for ${shell} contains every command with its options and values`, () => {
    const script = completionScript(shell, commands);
    for (const { name, options = {}, prints } of commands) {
      for (const word of name.split(' ')) assert.match(script, new RegExp(`\\b${word}\\b`), name);
      const names = [...Object.keys(options), 'help', ...(prints ? ['json'] : [])];
      const lines = script
        .split('\n')
        .filter((line) => line.includes(shell === 'fish' ? `in ${name}'` : `'${name}'`));
      for (const option of names)
        assert.ok(
          lines.some((line) => new RegExp(`-(-|l )${option}\\b`).test(line)),
          `${name} --${option}`,
        );
    }
    assert.match(script, /keys create.*scope.*read write/);
    const kinds = KINDS.map(({ name }) => name).join(' ');
    assert.match(script, new RegExp(`sites add.*controller.*${kinds}`));
    assert.match(script, /bash zsh fish/);
  });
