// Controller errors in the user's language: what happened, how to fix it, and the technical message of the driver or
// the controller as a detail.

import { type ControllerFailure, type FailureCause, isCertificateCause } from '../../../domain/controller.ts';
import { toOneLine } from '../../../domain/one-line.ts';
import type { SaveProblem } from '../../../domain/sites/save-site.ts';
import type { Site } from '../../../domain/sites/site.ts';
import type { SiteSync } from '../../../domain/sites/site-sync.ts';
import { TEST_ORDER, type TestFailure } from '../../../domain/sites/test-site.ts';
import { formatCode } from '../../../domain/vouchers/voucher.ts';
import { sayTime } from '../../../i18n/durations.ts';
import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { message, note } from '../../ui/message.ts';

/** Says how to fix a controller error. Users who are not administrators are told to inform one. */
export function fixFor({ messages, user }: PageContext, cause: FailureCause | null | undefined): string {
  return user?.role === 'admin' ? messages.admin.sites.fixes[cause ?? 'unknown'] : messages.result.tellAdmin;
}

/** A warning on the voucher form about a site whose sync fails. */
export function troubleNote(context: PageContext, { id, name }: Site, sync: SiteSync | undefined): Html {
  const { messages, language, timeZone, nowMs, user } = context;
  const { form, admin } = messages;
  const since = sayTime(sync?.failingSinceMs ?? sync?.failedAtMs ?? nowMs, { language, timeZone });
  const what = isCertificateCause(sync?.cause) ? form.otherCertificate(name, since) : form.away(name, since);
  const fix =
    user?.role === 'admin' ? html`<a href="/sites/${id}">${admin.sites.open}</a>` : html`${form.tellAdmin}`;
  return note('warning', html`${what} ${fix}`);
}

/** Shows the technical message of an error. Only administrators see it. */
export function technicalText({ messages: { admin }, user }: PageContext, text: string): Html | false {
  if (user?.role !== 'admin') return false;
  return html`<span class="soft said">${admin.sites.said} <span lang="en">${toOneLine(text)}</span></span>`;
}

export function errorMessage(context: PageContext, what: string, { cause, text }: ControllerFailure): Html {
  return message(
    'error',
    html`<strong>${what}</strong><br>${fixFor(context, cause)}<br>${technicalText(context, text)}`,
  );
}

/** Explains which step of the test failed and whether a test voucher may remain on the controller. */
export function testMessage(context: PageContext, { step, failure, code }: TestFailure): Html {
  const { sites: text } = context.messages.admin;
  const { name } = TEST_ORDER;
  const mayExist = step === 'create' && failure.kind === 'outcome-unknown';
  const what = {
    check: text.testFailed,
    create: mayExist ? text.testUnknown(name) : text.testNotMade,
    delete: text.testLeft(name, code === undefined ? '' : formatCode(code)),
  };
  return errorMessage(context, what[step], failure);
}

/** Explains why a site was not saved. */
export function saveMessage(context: PageContext, problem: SaveProblem): Html {
  const { sites: text } = context.messages.admin;
  if (problem.kind === 'test-failed') return testMessage(context, problem.test);
  if (problem.kind === 'busy') return message('error', text.busy);
  if (problem.kind === 'not-known') return message('error', text.fixes['not-known']);
  if (problem.kind === 'outdated') return message('error', context.messages.admin.outdated(problem.outdated));
  const { id, name } = problem.twin;
  return message('error', html`${text.twin(name)} <a href="/sites/${id}">${text.open}</a>`);
}
