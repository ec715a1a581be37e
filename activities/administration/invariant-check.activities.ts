import { log } from '@temporalio/activity';
import { keepAuditHead } from '../../db/administration/audit-head.writes';
import { keepInvariantRun } from '../../db/administration/invariant-run.transitions';
import { brokenInvariants } from '../../db/invariants/broken.reads';
import type { Broken } from '../../db/invariants/invariant';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { InvariantCheckActivities } from '../../workflows/administration/invariant-check.contract';

/** Holds what Temporal runs against the database; answers what disagrees. */
export type CheckProcesses = () => Promise<Broken[]>;

export const invariantCheckActivities = ({
  db,
  checkProcesses,
}: {
  db: Db;
  checkProcesses: CheckProcesses;
}): InvariantCheckActivities => ({
  async checkInvariants({ at }) {
    const broken = [...(await brokenInvariants(db)), ...(await checkProcesses())];
    const moment = new Date(at);
    await inTransaction(db, (tx) => keepInvariantRun(tx, moment, broken));
    await sayHead(db, moment, broken);
    return { broken: broken.length, invariants: [...new Set(broken.map(({ invariant }) => invariant))] };
  },
});

/** Notes in the log where the audit trail ends: whoever cuts its end off in the database does not reach that. */
async function sayHead(db: Db, at: Date, broken: readonly Broken[]): Promise<void> {
  const offences = broken.filter(({ invariant }) => invariant === 'audit.chain-holds');
  const head = offences.length > 0 ? null : await inTransaction(db, (tx) => keepAuditHead(tx, at));
  if (head) log.info('the audit trail is whole', { ...head });
  else if (offences.length > 0) log.error('the audit trail is not whole', { offences });
}
