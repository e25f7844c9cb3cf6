// The purpose of a run of the site wizard: to add a new site, or to change the access of an existing site.

import type { ControllerKind } from '../../../domain/controller.ts';
import type { SiteId } from '../../../domain/ids.ts';
import type { Result } from '../../../domain/result.ts';
import type { ControllerAccess, Credentials } from '../../../domain/sites/controller-access.ts';
import type { SaveProblem } from '../../../domain/sites/save-site.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import type { Html } from '../../ui/html.ts';
import type { Issues } from './site-forms.ts';

/** The result of the wizard that is saved. */
export interface Outcome {
  access: ControllerAccess;
  controllerSite: string;
  /** Saved without a test; the site is then inactive. */
  untested: boolean;
}

/** The values from the first step, and how the result is saved. */
export interface WizardPurpose {
  title: string;
  /** The path of the first step; the paths of the other steps are below it. */
  path: string;
  cancel: string;
  kind: ControllerKind;
  url: string;
  /** Values entered in the first step, carried as hidden form fields. */
  carried: Record<string, string>;
  /** Stored credentials that are reused if the user enters none. */
  kept: Credentials | undefined;
  /** The existing site whose access is changed; undefined for a new site. */
  current: { id: SiteId; controllerSite: string } | undefined;
  /** Shows the first step again with the entered values. */
  again(issues: Issues, note?: Html): Response;
  save(outcome: Outcome): Promise<Result<string, SaveProblem>>;
}

export type Step = (context: AuthenticatedContext, purpose: WizardPurpose) => Response | Promise<Response>;
