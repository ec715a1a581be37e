import type { Db } from '../../db/sql/query';
import type { StartProcess } from '../commerce/webhook/webhook-sweep.activities';
import { ledgerReconciliationActivities } from './ledger-reconciliation.activities';
import type { TopUpTerms } from './top-up/open-top-up';
import { topUpActivities } from './top-up/top-up.activities';
import { topUpSweepActivities } from './top-up/top-up-sweep.activities';

/** The steps of the ledger and of wallets. `longDb` is a pool for long work. */
export const ledgerActivities = ({
  db,
  longDb,
  start,
  ...terms
}: TopUpTerms & { db: Db; longDb: Db; start: StartProcess }) => ({
  ...ledgerReconciliationActivities({ longDb }),
  ...topUpActivities({ db, ...terms }),
  ...topUpSweepActivities({ db, start }),
});
