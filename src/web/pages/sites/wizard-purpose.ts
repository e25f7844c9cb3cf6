// What somebody is after who takes the guided way to a controller: a new site, or another access to an old one.

import type { ControllerKind } from '../../../domain/controller.ts';
import type { SiteId } from '../../../domain/ids.ts';
import type { Result } from '../../../domain/result.ts';
import type { ControllerAccess, Credentials } from '../../../domain/sites/controller-access.ts';
import type { SaveProblem } from '../../../domain/sites/save-site.ts';
import type { HttpResponse } from '../../../http/handler.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import type { Html } from '../../ui/html.ts';
import type { Issues } from './site-forms.ts';

/** What is to be saved in the end. */
export interface Outcome {
  access: ControllerAccess;
  controllerSite: string;
  /** Then the site is inactive. */
  untested: boolean;
}

/** What the first step has found out, and what is to be done in the end. */
export interface WizardPurpose {
  title: string;
  /** Of the first step; the others lie below it. */
  path: string;
  cancel: string;
  kind: ControllerKind;
  url: string;
  /** Entered in the first step. */
  carried: Record<string, string>;
  /** Credentials that go on to be used when none are entered. */
  kept: Credentials | undefined;
  /** The site it is about, if there is one already. */
  current: { id: SiteId; controllerSite: string } | undefined;
  /** The first step once more, with what was entered. */
  again(issues: Issues, note?: Html): HttpResponse;
  save(outcome: Outcome): Promise<Result<string, SaveProblem>>;
}

export type Step = (
  context: AuthenticatedContext,
  purpose: WizardPurpose,
) => HttpResponse | Promise<HttpResponse>;
