// Prints findings about an installation in English, and fails if one of them is a fault.

import { type Arguments, CommandFailed } from '../../platform/cli/command.ts';
import { print, printJson } from '../../platform/cli/print.ts';
import { sitesEn } from '../sites/site-texts-en.ts';
import type { AnyFact, AnyFinding, FactOf } from './finding.ts';
import { saidInTerminal } from './finding-texts-en.ts';
import { commandFor } from './health-commands.ts';
import { makeFormats, type Said } from './health-said.ts';

const inUtc = makeFormats({ language: 'en', timeZone: 'UTC' }, (cause) => sitesEn.fixes[cause ?? 'unknown']);
const formats = { ...inUtc, time: (ms: number) => `${inUtc.time(ms)} UTC` };

export function printFindings(findings: AnyFinding[], args: Arguments): void {
  const lines = findings.map(({ state, fact }) => ({ state, ...sayFact(fact) }));
  if (args.has('json')) printJson(lines);
  else for (const { state, about, text } of lines) print(`${state.padEnd(7)}  ${about}: ${text}`);
  const faults = findings.filter(({ state }) => state === 'fault').length;
  if (faults > 0) throw new CommandFailed(`${faults} ${faults === 1 ? 'problem' : 'problems'} found`);
}

/** One line: what is wrong, the technical message, what to do, and a command. */
function sayFact(fact: AnyFact): { about: string; text: string } {
  const { title, text, todo, command, detail } = tell(fact.kind, withIds(fact));
  const parts = [detail ? `${text.replace(/\.$/, '')}: ${detail}` : text, todo, command, commandFor(fact)];
  const said = parts.filter((part) => part !== undefined);
  return {
    about: withPlainSpaces(title.replace(/^site /, 'Site ')),
    text: withPlainSpaces(said.map(toSentence).join(' ')),
  };
}

function tell<Kind extends AnyFact['kind']>(kind: Kind, fact: FactOf<Kind, AnyFact>): Said {
  return saidInTerminal[kind](fact, formats);
}

/** Adds the ids of sites and webhooks to their names: commands need the ids, and names are not unique. */
function withIds(fact: AnyFact): AnyFact {
  if ('siteId' in fact) return { ...fact, site: `site ${fact.siteId} (${fact.site})` };
  if (!('webhookId' in fact)) return fact;
  const { webhookId, webhook, url } = fact;
  const name = webhook === URL.parse(url)?.host ? '' : `${webhook}, `;
  return { ...fact, webhook: `${webhookId} (${name}${url})` };
}

/** Ends each part with a full stop, except the last one: it may end with a command that users copy. */
function toSentence(part: string, index: number, parts: string[]): string {
  return index === parts.length - 1 || /[.:]$/.test(part) ? part : `${part}.`;
}

/** Replaces non-breaking spaces, because a search for words with plain spaces would not find them. */
function withPlainSpaces(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ');
}
