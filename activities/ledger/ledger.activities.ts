import type { Db } from '../../db/sql/query';
import type { StartProcess } from '../commerce/webhook/webhook-sweep.activities';
import type { TopUpTerms } from './top-up/open-top-up';
import { topUpActivities } from './top-up/top-up.activities';
import { topUpSweepActivities } from './top-up/top-up-sweep.activities';

/** The steps of the ledger and of wallets. */
export const ledgerActivities = ({ db, start, ...terms }: TopUpTerms & { db: Db; start: StartProcess }) => ({
  ...topUpActivities({ db, ...terms }),
  ...topUpSweepActivities({ db, start }),
});
