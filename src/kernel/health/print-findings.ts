// Prints findings about an installation in English, and fails if one of them is a fault.

import { type Arguments, CommandFailed } from '../../platform/cli/command.ts';
import { print, printJson } from '../../platform/cli/print.ts';
import { sitesEn } from '../sites/site-texts-en.ts';
import type { AnyFact, AnyFinding } from './finding.ts';
import { saidInTerminal } from './finding-texts-en.ts';
import type { HealthCheck } from './health-check.ts';
import { commandFor } from './health-commands.ts';
import { makeFormats, sayFact } from './health-said.ts';

const inUtc = makeFormats({ language: 'en', timeZone: 'UTC' }, (cause) => sitesEn.fixes[cause ?? 'unknown']);
const formats = { ...inUtc, time: (ms: number) => `${inUtc.time(ms)} UTC` };

/** `checks`: the features whose findings may be among these. */
export function printFindings(
  findings: AnyFinding[],
  args: Arguments,
  checks: readonly HealthCheck[] = [],
): void {
  const lines = findings.map(({ state, fact }) => ({ state, ...toLine(fact, checks) }));
  if (args.has('json')) printJson(lines);
  else for (const { state, about, text } of lines) print(`${state.padEnd(7)}  ${about}: ${text}`);
  const faults = findings.filter(({ state }) => state === 'fault').length;
  if (faults > 0) throw new CommandFailed(`${faults} ${faults === 1 ? 'problem' : 'problems'} found`);
}

/** One line: what is wrong, the technical message, what to do, and a command. */
function toLine(fact: AnyFact, checks: readonly HealthCheck[]): { about: string; text: string } {
  const texts = [saidInTerminal, ...checks.map(({ said }) => said.en)];
  const { title, text, todo, command, detail } = sayFact(texts, fact.kind, withIds(fact, checks), formats);
  const commands = [commandFor(fact), ...checks.map((check) => check.commandFor?.(fact))];
  const parts = [detail ? `${text.replace(/\.$/, '')}: ${detail}` : text, todo, command, ...commands];
  const said = parts.filter((part) => part !== undefined);
  return {
    about: withPlainSpaces(title.replace(/^site /, 'Site ')),
    text: withPlainSpaces(said.map(toSentence).join(' ')),
  };
}

/** Adds the ids to names: commands need the ids, and names are not unique. */
function withIds(fact: AnyFact, checks: readonly HealthCheck[]): AnyFact {
  if ('siteId' in fact) return { ...fact, site: `site ${fact.siteId} (${fact.site})` };
  return checks.reduce<AnyFact>((named, check) => check.withIds?.(named) ?? named, fact);
}

/** Ends each part with a full stop, except the last one: it may end with a command that users copy. */
function toSentence(part: string, index: number, parts: string[]): string {
  return index === parts.length - 1 || /[.:]$/.test(part) ? part : `${part}.`;
}

/** Replaces non-breaking spaces, because a search for words with plain spaces would not find them. */
function withPlainSpaces(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ');
}
