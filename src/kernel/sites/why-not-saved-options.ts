// Command-line messages for a site that was not saved or whose test failed.

import { CommandFailed } from '../../platform/cli/command.ts';
import { NOT_KNOWN_HERE } from '../../platform/values/unknown-value.ts';
import { sayOutdated } from '../instances/known-since.ts';
import type { SaveProblem } from './save-site.ts';
import { TEST_ORDER, type TestFailure } from './test-site.ts';

export function whyNotSaved(problem: SaveProblem): CommandFailed {
  if (problem.kind === 'busy') return new CommandFailed('another site is being saved: try again');
  if (problem.kind === 'not-known')
    return new CommandFailed(`the controller of this site is ${NOT_KNOWN_HERE}, so it cannot be changed`);
  if (problem.kind === 'outdated') return new CommandFailed(sayOutdated(problem.outdated));
  if (problem.kind === 'test-failed')
    return new CommandFailed(
      whyFailed(problem.test),
      'Nothing was stored. Fix the problem, or store the site anyway with --untested.',
    );
  const { id, name } = problem.twin;
  return new CommandFailed(`site ${id} (${name}) already uses this site of the controller`);
}

/** The message also says whether a test voucher may remain on the controller. */
export function whyFailed({ step, failure, code }: TestFailure): string {
  const { name } = TEST_ORDER;
  if (step === 'check') return failure.text;
  if (step === 'create') {
    const rest = failure.kind === 'outcome-unknown' ? `; there may be one by the name "${name}" now` : '';
    return `the controller made no test voucher: ${failure.text}${rest}`;
  }
  return `the test voucher was made, but could not be deleted: ${failure.text}; delete it on the controller: "${name}"${code === undefined ? '' : `, code ${code}`}`;
}
