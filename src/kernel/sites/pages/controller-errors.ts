// Controller errors in the user's language: what happened, how to fix it, and the technical message of the driver or
// the controller as a detail.

import { type Html, html, trusted } from '../../../platform/pages/ui/html.ts';
import { toOneLine } from '../../../platform/text/one-line.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { ControllerFailure, FailureCause } from '../../controllers/controller.ts';
import type { SiteId } from '../../ids.ts';
import type { PageContext } from '../../pages/context.ts';
import { message, note } from '../../pages/message.ts';
import { formatCode } from '../../vouchers/voucher.ts';
import type { RefusedSite, SaveProblem, TooSlow } from '../save-site.ts';
import type { Site } from '../site.ts';
import type { SiteSync } from '../site-sync.ts';
import { TEST_ORDER, type TestFailure } from '../test-site.ts';

/** Says what happened, without the full stop. All pages say it with these words. */
export function sayCause({ messages }: PageContext, cause: FailureCause | null | undefined): string {
  return messages.failures.causes[cause ?? 'unknown'];
}

/** Tells administrators how to fix a controller error. It follows what happened. */
export function fixFor({ messages }: PageContext, cause: FailureCause | null | undefined): string {
  return messages.admin.sites.fixes[cause ?? 'unknown'];
}

/** Tells administrators what happened and how to fix it. */
export function explain(context: PageContext, cause: FailureCause | null | undefined): string {
  return `${sayCause(context, cause)}. ${fixFor(context, cause)}`;
}

/** A warning on the voucher form about sites whose sync fails. It is short, so that it does not push the form away. */
export function troubleNote(
  context: PageContext,
  sites: Site[],
  syncs: ReadonlyMap<SiteId, SiteSync>,
): Html | false {
  const { messages, language, timeZone, nowMs, user } = context;
  const [first] = sites;
  if (!first) return false;
  const help = (link: Html) => (user?.role === 'admin' ? link : whoHelps(context));
  if (sites.length > 1) {
    const overview = html`<a href="/overview">${messages.admin.sites.open}</a>`;
    return note('warning', html`${messages.form.troubles(sites.length, first.name)} ${help(overview)}`);
  }
  const sync = syncs.get(first.id);
  const since = sayTime(sync?.failingSinceMs ?? sync?.failedAtMs ?? nowMs, { language, timeZone });
  const what = messages.form.trouble(first.name, sayCause(context, sync?.cause), since);
  return note('warning', html`${what} ${help(siteLink(context, first.id))}`);
}

function siteLink({ messages: { admin } }: PageContext, id: SiteId): Html {
  return html`<a href="/sites/${id}">${admin.sites.open}</a>`;
}

/** Names the person who helps, as entered in the settings. */
export function whoHelps({ messages: { failures }, settings }: PageContext): Html {
  const { helperName: name, helperPhone: phone } = settings;
  if (!name && !phone) return html`${failures.tellAdmin}`;
  const call = html`<a class="whole" href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a>`;
  return html`${failures.help} ${name}${name && phone && ', '}${phone && call}`;
}

interface Failed {
  siteId: SiteId;
  cause: FailureCause | null | undefined;
  /** The technical message; null if there is none. */
  text: string | null;
}

/** Explains a failed creation or revocation: to administrators how to fix it, to others who helps. */
export function failureText(context: PageContext, { siteId, cause, text }: Failed): Html {
  if (context.user?.role !== 'admin')
    return html`${sayCause(context, cause)}. ${context.messages.failures.notYou} ${whoHelps(context)}`;
  return html`${explain(context, cause)} ${siteLink(context, siteId)}${text !== null && html`<br>${technicalText(context, text)}`}`;
}

/** Shows the technical message of an error. Only administrators see it. */
export function technicalText({ messages: { admin }, user }: PageContext, text: string): Html | false {
  if (user?.role !== 'admin') return false;
  return html`<span class="soft said">${admin.sites.said} <span lang="en">${toOneLine(text)}</span></span>`;
}

export function errorMessage(context: PageContext, what: string, failure: ControllerFailure): Html {
  return message('error', errorText(context, what, failure));
}

function errorText(context: PageContext, what: string, { cause, text }: ControllerFailure): Html {
  return html`<strong>${what}</strong><br>${explain(context, cause)}<br>${technicalText(context, text)}`;
}

/** Explains which step of the test failed and whether a test voucher may remain on the controller. */
export function testMessage(context: PageContext, failed: TestFailure): Html {
  return message('error', testText(context, failed));
}

function testText(context: PageContext, { step, failure, code }: TestFailure): Html {
  const { sites: text } = context.messages.admin;
  const { name } = TEST_ORDER;
  const mayExist = step === 'create' && failure.kind === 'outcome-unknown';
  const what = {
    check: text.testFailed,
    create: mayExist ? text.testUnknown(name) : text.testNotMade,
    delete: text.testLeft(name, code === undefined ? '' : formatCode(code)),
  };
  return errorText(context, what[step], failure);
}

/** Explains why a site was not saved. */
export function saveMessage(context: PageContext, problem: SaveProblem): Html {
  return message('error', saveText(context, problem));
}

/** Explains why none of several sites was added. Sites with the same problem share one text. */
export function refusedMessage(context: PageContext, refused: RefusedSite[]): Html {
  const byText = Map.groupBy(refused, ({ problem }) => saveText(context, problem).toString());
  const texts = [...byText].map(([text, same]) => {
    const names = same.flatMap(({ name }) => name ?? []).join(', ');
    return html`<div>${names && html`<strong>${names}:</strong> `}${trusted(text)}</div>`;
  });
  return message('error', html`${texts}<div>${context.messages.admin.sites.noneSaved}</div>`);
}

function saveText(context: PageContext, problem: SaveProblem | TooSlow): Html {
  const { sites: text } = context.messages.admin;
  if (problem.kind === 'test-failed') return testText(context, problem.test);
  if (problem.kind === 'busy') return html`${text.busy}`;
  if (problem.kind === 'too-slow') return html`${text.tooSlow(problem.tested)}`;
  if (problem.kind === 'not-known') return html`${text.fixes['not-known']}`;
  if (problem.kind === 'outdated') return html`${context.messages.admin.outdated(problem.outdated)}`;
  const { id, name } = problem.twin;
  return html`${text.twin(name)} <a href="/sites/${id}">${text.open}</a>`;
}
