import {
  claimPoolRun,
  computePoolShares,
  countPoolVolumes,
  fixPoolFigures,
  poolTerms,
} from '../../../db/partners/pool/pool-count.reads';
import { fundPool, lockSharingPartners } from '../../../db/partners/pool/pool-pay.transitions';
import { earlierRuns, salesUncounted } from '../../../db/partners/pool/pool-sales.reads';
import { runOfPeriod } from '../../../db/partners/pool/pool.reads';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import type { Db, Tx } from '../../../db/sql/query';
import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import type { PoolPeriod } from '../../../workflows/partners/pool/pool-period.rules';
import type { CountedPool } from '../../../workflows/partners/pool/pool.contract';

/**
 * Counts a period once: its run, the figures of its partners and the money set apart are one transaction. A run that is
 * there is answered as it is. Null while a sale of the period, or of an earlier run's, is not counted.
 */
export async function countPool(
  db: Db,
  signal: AbortSignal,
  period: PoolPeriod,
): Promise<CountedPool | null> {
  const known = await runOfPeriod(db, period);
  if (known) return { runId: known.id, participants: known.participants };
  return inLongTransaction(db, signal, (tx) => count(tx, signal, period));
}

async function count(tx: Tx, signal: AbortSignal, period: PoolPeriod): Promise<CountedPool | null> {
  const earlier = await earlierRuns(tx, period);
  if (await salesUncounted(tx, earlier.until)) return null;
  const at = new Date();
  const terms = { ...(await poolTerms(tx, period, PLATFORM_CURRENCY)), earlier };
  const runId = await claimPoolRun(tx, period, terms, at);
  if (runId === null) throw new Error(`The pool ${period.period} was counted at the same time as another.`);
  await countPoolVolumes(tx, period, terms, () => signal.throwIfAborted());
  const figures = await computePoolShares(tx, period, terms);
  signal.throwIfAborted();
  await lockSharingPartners(tx);
  await fixPoolFigures(tx, runId, figures);
  const { poolMinor, participants } = figures;
  await fundPool(tx, { ...period, poolMinor, currency: terms.currency }, at);
  return { runId, participants };
}
