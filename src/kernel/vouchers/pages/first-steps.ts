// The card with the first steps of a new installation, for administrators. It disappears when all steps are done or
// when an administrator hides it.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { formToken, redirect } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import { FIRST_STEPS, type FirstStep, type FirstSteps } from '../../settings/first-steps.ts';

export const firstStepRoutes: Route[] = [
  { method: 'POST', path: '/first-steps/hide', permission: 'admin', run: hide },
];

async function hide(context: AuthenticatedContext) {
  await context.app.settings.change({ areFirstStepsHidden: true }, auditContextOf(context));
  return redirect(context, '/');
}

export async function firstStepsCard(context: AuthenticatedContext): Promise<Html | false> {
  const { app, user, settings, nowS } = context;
  if (user.role !== 'admin' || settings.areFirstStepsHidden) return false;
  const steps = await app.findFirstSteps(nowS);
  if (steps.open.length === 0) return false;
  const { firstSteps: text } = context.messages;
  const done = FIRST_STEPS.length - steps.open.length;
  return html`<section class="card first-steps" aria-labelledby="first-steps"><div class="heading"><div><h2 id="first-steps">${text.title}</h2><span class="sub">${text.done(done, FIRST_STEPS.length)}</span></div>
<form method="post" action="/first-steps/hide">${formToken(context)}<button class="button quiet" type="submit">${text.hide}</button></form></div>
<ol>${FIRST_STEPS.map((step) => row(context, step, steps))}</ol></section>`;
}

function row(context: AuthenticatedContext, step: FirstStep, steps: FirstSteps): Html {
  const { firstSteps: text } = context.messages;
  const isOpen = steps.open.includes(step);
  const { name, why, action } = text.steps[step];
  if (!isOpen)
    return html`<li class="step done">${icon('valid')}${name}<span class="hidden-text"> ${text.isDone}</span></li>`;
  if (step !== steps.open[0])
    return html`<li class="step">${icon('new')}${actionOf(step, { steps, label: name }) || name}</li>`;
  return html`<li class="step next">${icon('new')}<div><strong>${name}</strong><span class="sub">${why}</span></div>
${actionOf(step, { steps, label: action, isNext: true })}</li>`;
}

interface Action {
  steps: FirstSteps;
  label: string;
  isNext?: boolean;
}

/** The link for a step. The steps `slip` and `voucher` have no link until a site is added. */
function actionOf(step: FirstStep, { steps: { site, demo }, label, isNext }: Action): Html | false {
  const look = isNext ? 'button' : 'later';
  const href = {
    controller: '/sites/new',
    slip: site && `/sites/${site.id}/slip`,
    voucher: site && '#name',
    colleague: '/users/add',
    demo: demo && `/sites/${demo.id}/deactivate`,
  }[step];
  return href !== undefined && html`<a class="${look}" href="${href}">${label}</a>`;
}
