// Second factors as administrators see them: of whom one is required, who has one, and taking somebody's away
// who has lost their phone.

import type { House, HouseStore } from '../../domain/house.ts';
import { asUserId } from '../../domain/ids.ts';
import type { SecondFactorStore } from '../../domain/users/second-factor.ts';
import type { User, UserStore } from '../../domain/users/user.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { askFirst } from '../ask-first.ts';
import { selectField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';

const RULE = '/second-factor';
const KINDS: House['secondFactorFor'][] = ['nobody', 'admins', 'everyone'];

interface Needs {
  users: Pick<UserStore, 'list'>;
  secondFactors: Pick<SecondFactorStore, 'has' | 'remove'>;
  house: Pick<HouseStore, 'change'>;
}

export function makePeopleSecondFactorPages({ users, secondFactors, house }: Needs): Route[] {
  const path = '/people/:person/second-factor';
  return [
    { method: 'POST', path: RULE, access: 'admin', run: changeRule },
    { method: 'GET', path, access: 'admin', run: (visit) => withPerson(visit, ask) },
    { method: 'POST', path, access: 'admin', run: (visit) => withPerson(visit, remove) },
  ];

  async function changeRule(visit: UserVisit) {
    const secondFactorFor = KINDS.find((kind) => kind === visit.form.get('required'));
    if (secondFactorFor && secondFactorFor !== visit.house.secondFactorFor)
      await house.change({ secondFactorFor }, auditOf(visit));
    return redirect('/people?said=saved');
  }

  /** Of oneself it is switched off on the account page, with a code. */
  async function withPerson(
    visit: UserVisit,
    run: (visit: UserVisit, person: User) => Answer | Promise<Answer>,
  ) {
    const id = asUserId(Number(visit.parameters.person));
    if (visit.user.id === id) return problemPage(visit, 409, visit.words.admin.people.notYourself);
    const person = (await users.list()).find((one) => one.id === id);
    return person ? run(visit, person) : problemPage(visit, 404, visit.words.problem.notFound);
  }

  async function remove(visit: UserVisit, person: User) {
    await secondFactors.remove(person, auditOf(visit));
    return redirect(`/people/${person.id}`);
  }
}

function ask(visit: UserVisit, { id, name }: User): Answer {
  const { people: text } = visit.words.secondFactor;
  return askFirst(visit, {
    ask: text.removeAsk(name),
    what: text.removeWhat,
    action: `/people/${id}/second-factor`,
    button: text.remove,
    back: `/people/${id}`,
  });
}

/** Of whom a second factor is required. */
export function ruleCard(visit: UserVisit): Html {
  const { admin, secondFactor } = visit.words;
  const { people: text } = secondFactor;
  return html`<section class="card"><h2>${secondFactor.title}</h2><form method="post" action="${RULE}">${formToken(visit)}
${selectField({
  name: 'required',
  label: text.rule,
  hint: text.ruleHint,
  value: visit.house.secondFactorFor,
  choices: KINDS.map((value) => ({ value, label: text[value] })),
})}
<button class="button" type="submit">${admin.save}</button></form></section>`;
}
