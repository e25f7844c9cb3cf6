// What `gastpass verify` says about the records of an installation.

import type { TerminalFact } from './finding.ts';
import { type SaidOf, titled } from './health-said.ts';
import { DATABASE, SEALED } from './health-texts-en.ts';

const MAX_NAMED = 5;
const RESTORE = 'Restore the last backup.';

const countOf = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
const more = (count: number) => `${count.toLocaleString('en')} more`;

export const saidOfVerify = {
  ...titled(DATABASE, {
    'rows-ok': ({ rows }) => ({ text: `${rows.toLocaleString('en')} rows read, no defect found` }),
    'rows-defect': ({ detail }) => ({ text: 'There is a defect.', todo: RESTORE, detail }),
    'rows-unreadable': ({ detail }) => ({
      text: 'Cannot be read completely.',
      todo: RESTORE,
      detail,
    }),
  }),
  'sealed-ok': ({ count }) => ({ title: SEALED, text: `The secret opens all of them (${count})` }),
  ...titled(({ site }) => site, {
    'vouchers-not-compared': ({ detail }) => ({
      text: 'The vouchers could not be compared.',
      todo: 'See gastpass doctor.',
      detail,
    }),
    'vouchers-agree': ({ count }) => ({
      text: `${countOf(count, 'voucher', 'vouchers')} on the controller, the records agree`,
    }),
    'vouchers-missing': ({ siteId, ids, found }, { names }) => ({
      text: `${countOf(ids.length, 'voucher is', 'vouchers are')} valid in the records but not on the controller (${names(
        ids.map((id) => `id ${id}`),
        more,
        MAX_NAMED,
      )}).`,
      ...(found === 'some'
        ? {
            todo: 'Create new vouchers for their guests. This command ends the missing ones in the records:',
            command: `gastpass sync --site ${siteId}`,
          }
        : {
            todo: `The controller has ${found === 'none' ? 'no vouchers at all' : 'none of the recorded vouchers'}. Check that the site is the right one:`,
            command: `gastpass sites test ${siteId}`,
          }),
    }),
    'stock-missing': ({ siteId, count }) => ({
      text: `${countOf(count, 'voucher is', 'vouchers are')} ready in the stock but not on the controller.`,
      todo: 'A sync keeps them from being handed out, if the controller has others of our vouchers:',
      command: `gastpass sync --site ${siteId}`,
    }),
    'vouchers-unrecorded': ({ siteId, names: unrecorded, isImported }, { names }) => ({
      text: `${countOf(unrecorded.length, 'voucher is', 'vouchers are')} on the controller but not in the records (${names(unrecorded, more, MAX_NAMED)}).`,
      ...(isImported
        ? { todo: 'Import them:', command: `gastpass sync --site ${siteId}` }
        : {
            todo: 'The site does not import vouchers. To import these once:',
            command: `gastpass vouchers import --site ${siteId}`,
          }),
    }),
  }),
} satisfies Partial<SaidOf<TerminalFact>>;
