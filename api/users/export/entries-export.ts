import { z } from 'zod';
import { entriesOf } from '../../../db/ledger/ledger.reads';
import type { Db } from '../../../db/sql/query';
import { EntryView, entryView } from '../balance/entry.view';

const ACCOUNTS = ['wallet', 'partner_pending', 'partner_available', 'payout_hold'] as const;

/** The most movements of an account: a partner has hundreds of thousands, and an export is held in memory. */
export const MOST_ENTRIES = 10_000;

export const EntriesExport = {
  entries: z
    .array(
      EntryView.extend({
        account: z.enum(ACCOUNTS).describe('The ledger account of the user that the amount belongs to.'),
      }),
    )
    .meta({
      description: `The newest ${MOST_ENTRIES} of each account, newest first.`,
    }),
  entriesComplete: z.boolean().meta({
    description: `False if an account has more. GET /mlm/statements/{month}/export has all movements of a partner's balances, month by month; an administrator sends the others on request.`,
  }),
};

/** The newest movements of each account of a user, newest first; `most`: of each. */
export async function entriesExport(db: Db, userId: string, most = MOST_ENTRIES) {
  const entries = [];
  let entriesComplete = true;
  for (const account of ACCOUNTS) {
    const found = await entriesOf(db, userId, most + 1, account);
    entriesComplete &&= found.length <= most;
    entries.push(...found.slice(0, most));
  }
  entries.sort((a, b) => b.id - a.id);
  return {
    entries: entries.map((entry) => ({ ...entryView(entry), account: entry.account })),
    entriesComplete,
  };
}
