// One's own second factor: set it up, make new recovery codes, switch it off. The last two want a code: whoever
// finds a browser open, or knows the password, cannot take the second factor away with that alone.

import type { Enrol, ShownOffer } from '../../domain/users/enrol.ts';
import { makeRecoveryCodes } from '../../domain/users/recovery-codes.ts';
import {
  type CheckCode,
  type CodeProblem,
  isSecondFactorRequired,
  type SecondFactorStore,
} from '../../domain/users/second-factor.ts';
import type { WebSessionStore } from '../../domain/users/web-session.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import type { Question } from '../ask-first.ts';
import { textField } from '../fields.ts';
import { html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, formToken, redirect, sentOnce } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { askForCode, offerParts, showCodes } from './second-factor-parts.ts';
import { languageForm, nextOf, withNext } from './sign-in-parts.ts';

const SET_UP = '/account/second-factor/new';
const CODES = '/account/second-factor/codes';
const OFF = '/account/second-factor/off';
const BACK = '/account';

interface Needs {
  secondFactors: Pick<SecondFactorStore, 'has' | 'replaceRecoveryCodes' | 'turnOff'>;
  webSessions: Pick<WebSessionStore, 'endOthers'>;
  enrol: Enrol;
  checkCode: CheckCode;
}

type Run = (visit: UserVisit) => Promise<Answer>;

export function makeSecondFactorPages(needs: Needs): Route[] {
  const { secondFactors, webSessions, enrol, checkCode } = needs;
  return [
    { method: 'GET', path: SET_UP, access: 'newcomer', run: begin },
    { method: 'POST', path: SET_UP, access: 'newcomer', run: confirm },
    { method: 'GET', path: CODES, access: 'operator', run: owning(async (visit) => askCodes(visit)) },
    { method: 'POST', path: CODES, access: 'operator', run: owning(renewCodes) },
    { method: 'GET', path: OFF, access: 'operator', run: owning(free(async (visit) => askOff(visit))) },
    { method: 'POST', path: OFF, access: 'operator', run: owning(free(switchOff)) },
  ];

  /** Only for those who have one. */
  function owning(run: Run): Run {
    return async (visit) => ((await secondFactors.has(visit.user.id)) ? run(visit) : redirect(BACK));
  }

  async function begin(visit: UserVisit) {
    return (await secondFactors.has(visit.user.id)) ? redirect(BACK) : show(visit, enrol.offer(visit.user));
  }

  async function confirm(visit: UserVisit) {
    const { form, user, words } = visit;
    const confirmed = await enrol.confirm(user, {
      sealed: form.get('offer') ?? '',
      code: form.get('code') ?? '',
      by: auditOf(visit),
    });
    if (confirmed.ok) {
      // Whoever is in elsewhere got in without it.
      await webSessions.endOthers(user.id, visit.session.tokenHash);
      const title = words.secondFactor.codes.turnedOn;
      return showCodes(visit, { title, codes: confirmed.value, back: wayOn(visit) });
    }
    if (confirmed.problem.kind === 'already-on') return redirect(BACK);
    return show(visit, confirmed.problem.offer, words.secondFactor.setUp.wrong);
  }

  /**
   * The secret is not on record before it is confirmed. On its way through the browser it is sealed together
   * with its owner's id, so that a form can neither choose a secret nor bring another account's.
   */
  function show(visit: UserVisit, offer: ShownOffer, error?: string) {
    const { words, house, user, ...atTheDoor } = visit;
    const { setUp: text } = words.secondFactor;
    const isRequired = isSecondFactorRequired(house, user);
    const content = html`<section class="card enrol"><h1>${text.title}</h1>
${isRequired ? html`<p class="note">${icon('key')}<span>${text.required}</span></p>` : html`<p>${text.intro}</p>`}
${offerParts(visit, offer)}
<h2>2. ${text.confirm}</h2><form method="post" action="${SET_UP}">${formToken(visit)}${sentOnce()}
<input type="hidden" name="offer" value="${offer.sealed}"><input type="hidden" name="next" value="${wayOn(visit)}">
${textField({ name: 'code', label: text.code, hint: text.codeHint, error, required: true, autocomplete: 'one-time-code' })}
<div class="actions"><button class="button primary" type="submit">${text.button}</button>
${!isRequired && html`<a class="button" href="${BACK}">${words.admin.cancel}</a>`}</div></form></section>`;
    const status = error === undefined ? 200 : 422;
    if (!isRequired) return answerPage(visit, { title: text.title, status, content });
    // Without the navigation: it leads nowhere yet.
    return answerPage(
      { ...atTheDoor, words, house },
      {
        title: text.title,
        status,
        content: html`${content}${languageForm(visit, withNext(SET_UP, wayOn(visit)))}
<form class="actions aside" method="post" action="/logout">${formToken(visit)}<button class="button quiet" type="submit">${icon('leave')}<span>${words.nav.signOut}</span></button></form>`,
      },
    );
  }

  async function renewCodes(visit: UserVisit) {
    const checked = await check(visit);
    if (!checked.ok) return askCodes(visit, checked.problem);
    const { codes, codeHashes } = makeRecoveryCodes();
    if (!(await secondFactors.replaceRecoveryCodes(visit.user, codeHashes, auditOf(visit))))
      return redirect(BACK);
    return showCodes(visit, { title: visit.words.secondFactor.codes.made, codes, back: BACK });
  }

  async function switchOff(visit: UserVisit) {
    const checked = await check(visit);
    if (!checked.ok) return askOff(visit, checked.problem);
    await secondFactors.turnOff(visit.user, auditOf(visit));
    return redirect(BACK);
  }

  function check({ user, form, request }: UserVisit) {
    return checkCode(user, { code: form.get('code') ?? '', address: request.clientAddress() });
  }
}

/** Only for those of whom it is not required. */
function free(run: Run): Run {
  return async (visit) =>
    isSecondFactorRequired(visit.house, visit.user)
      ? problemPage(visit, 409, visit.words.secondFactor.switchOff.refused)
      : run(visit);
}

function askCodes(visit: UserVisit, problem?: CodeProblem): Answer {
  const { codes: text } = visit.words.secondFactor;
  const question: Question = {
    ask: text.ask,
    what: text.askWhat,
    action: CODES,
    button: text.button,
    back: BACK,
  };
  return askForCode(visit, question, problem);
}

function askOff(visit: UserVisit, problem?: CodeProblem): Answer {
  const { switchOff: text } = visit.words.secondFactor;
  const question: Question = { ask: text.ask, what: text.what, action: OFF, button: text.button, back: BACK };
  return askForCode(visit, question, problem);
}

/** Where somebody wanted to go when they were led here; otherwise back to the account. */
function wayOn(visit: UserVisit): string {
  const isAsked = visit.form.has('next') || visit.query.has('next');
  return isAsked || isSecondFactorRequired(visit.house, visit.user) ? nextOf(visit) : BACK;
}
