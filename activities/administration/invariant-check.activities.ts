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
    await inTransaction(db, (tx) => keepInvariantRun(tx, new Date(at), broken));
    return { broken: broken.length, invariants: [...new Set(broken.map(({ invariant }) => invariant))] };
  },
});
