// A controller that fails, said in the reader's language: what happened, how to mend it, and its own words.

import type { ControllerFailure } from '../../domain/controller.ts';
import { toOneLine } from '../../domain/one-line.ts';
import type { SaveProblem } from '../../domain/sites/save-site.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import type { Visit } from '../visit.ts';
import type { SitesWords } from '../words/sites-de.ts';

/** The first that fits; a text nobody expected gets the general advice. */
const SIGNS: [RegExp, keyof SitesWords['mend']][] = [
  [/another certificate than the one/, 'certificate'],
  [/rejects the API key/, 'apiKey'],
  [/role is too low|may not do this/, 'role'],
  [/no Integration API/, 'kind'],
  [/second factor/, 'factor'],
  [/user or password is wrong/, 'login'],
  [/has no site /, 'site'],
  [/too many logins|asks for a pause/, 'pause'],
  [/does not look like a UniFi|not a list|not its own language|redirects/, 'notUnifi'],
  [/ENOTFOUND|EAI_AGAIN/, 'name'],
  [/EPROTO|wrong version|packet length|SSL routines|disconnected before secure/i, 'tls'],
  [/certificate|altnames/i, 'authority'],
  [/ECONN|EHOST|ENET|ETIMEDOUT|[Tt]imeout|does not answer|in time|no connection/, 'address'],
];

export function mendOf(text: string, { sites }: { sites: SitesWords }): string {
  return sites.mend[SIGNS.find(([sign]) => sign.test(text))?.[1] ?? 'other'];
}

export function troubleNote({ words: { admin } }: Visit, what: string, { text }: ControllerFailure): Html {
  return html`<div class="note bad" role="alert">${icon('warning')}<span><strong>${what}</strong><br>${mendOf(text, admin)}
<br><span class="said">${admin.sites.said} ${toOneLine(text)}</span></span></div>`;
}

export function goodNote(text: string): Html {
  return html`<p class="note good" role="status">${icon('valid')}<span>${text}</span></p>`;
}

/** Why a site was not saved. */
export function saveNote(visit: Visit, problem: SaveProblem): Html {
  const { sites: text } = visit.words.admin;
  if (problem.kind === 'test-failed') return troubleNote(visit, text.testFailed, problem.failure);
  const said =
    problem.kind === 'busy'
      ? text.busy
      : html`${text.twin(problem.twin.name)} <a href="/sites/${problem.twin.id}">${text.open}</a>`;
  return html`<p class="note bad" role="alert">${icon('warning')}<span>${said}</span></p>`;
}
