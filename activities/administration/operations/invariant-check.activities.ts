import { log } from '@temporalio/activity';
import { keepAuditHead } from '../../../db/administration/audit/audit-head.writes';
import {
  processCheckScope,
  type ProcessCheckScope,
} from '../../../db/administration/operations/invariant-run.reads';
import { keepInvariantRun } from '../../../db/administration/operations/invariant-run.transitions';
import { brokenInvariants } from '../../../db/invariants/broken.reads';
import type { Broken } from '../../../db/invariants/invariant';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { InvariantCheckActivities } from '../../../workflows/administration/operations/invariant-check.contract';
import { withHeartbeat } from '../../heartbeat';

/** Holds what Temporal runs against the database; answers what disagrees. */
export type CheckProcesses = (check: ProcessCheckScope & { signal: AbortSignal }) => Promise<Broken[]>;

export const invariantCheckActivities = ({
  db,
  longDb,
  checkProcesses,
}: {
  db: Db;
  /** A pool for long work. */
  longDb: Db;
  checkProcesses: CheckProcesses;
}): InvariantCheckActivities => ({
  async checkInvariants({ at }) {
    const moment = new Date(at);
    const scope = await processCheckScope(db, moment);
    const broken = await withHeartbeat(async (signal) => [
      ...(await brokenInvariants(longDb, { signal })),
      ...(await checkProcesses({ ...scope, signal })),
    ]);
    await inTransaction(db, (tx) => keepInvariantRun(tx, moment, broken, scope.since === null));
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
