import {
  claimPoolRun,
  computePoolShares,
  countPoolVolumes,
  fixPoolFigures,
  poolTerms,
} from '../../../db/partners/pool/pool-count.reads';
import {
  fundPool,
  lockLastSale,
  lockPoolsOfKind,
  lockSharingPartners,
} from '../../../db/partners/pool/pool-pay.transitions';
import { earlierRuns, salesUncounted } from '../../../db/partners/pool/pool-sales.reads';
import { runOfPeriod } from '../../../db/partners/pool/pool.reads';
import { isContention } from '../../../db/sql/errors';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import type { Db, Tx } from '../../../db/sql/query';
import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import type { PoolPeriod } from '../../../workflows/partners/pool/pool-period.rules';
import type { CountedPool } from '../../../workflows/partners/pool/pool.contract';

/** The lock for the number of the last sale holds the commission engine up, so it is not waited for longer. */
const LAST_SALE_MS = 10_000;

/**
 * Counts a period once: its run, the figures of its partners and the money set apart for them are one transaction. A run that is
 * there is answered as it is. Null while a sale of the period, or of an earlier run's, is not counted (`withoutUncounted`: if there
 * still is one, it counts in a later run, as late ones do), and where another transaction came first: one that counts a pool of the kind, or one
 * that ended a membership during the count.
 */
export async function countPool(
  db: Db,
  signal: AbortSignal,
  period: PoolPeriod,
  { withoutUncounted = false } = {},
): Promise<CountedPool | null> {
  const known = await runOfPeriod(db, period);
  if (known) return { runId: known.id, participants: known.participants };
  try {
    // Found before the snapshot, in which a sale that is still being counted can be missing while one of a higher number is not.
    const lastSale = withoutUncounted
      ? await inLongTransaction(db, signal, lockLastSale, { readsCommitted: true, statementMs: LAST_SALE_MS })
      : null;
    return await inLongTransaction(db, signal, (tx) => count(tx, signal, { period, lastSale }));
  } catch (error) {
    // The snapshot is older than the lock, so a run that was counted in between is noticed only where it is written.
    if (isContention(error)) return null;
    throw error;
  }
}

/** `lastSale`: the last sale of those that are counted if others are not counted yet; null: these are waited for. */
async function count(
  tx: Tx,
  signal: AbortSignal,
  { period, lastSale }: { period: PoolPeriod; lastSale: number | null },
): Promise<CountedPool | null> {
  if (!(await lockPoolsOfKind(tx, period.kind))) return null;
  const earlier = await earlierRuns(tx, period);
  if (await salesUncounted(tx, earlier.until)) {
    // A run that was counted meanwhile may have counted later ones.
    if (lastSale === null || lastSale < earlier.lastSaleNumber) return null;
    earlier.upToNumber = lastSale;
  }
  const at = new Date();
  const terms = { ...(await poolTerms(tx, period, PLATFORM_CURRENCY)), earlier };
  const runId = await claimPoolRun(tx, period, terms, at);
  // The period itself was counted meanwhile: the next look finds its run.
  if (runId === null) return null;
  await countPoolVolumes(tx, period, terms, () => signal.throwIfAborted());
  const figures = await computePoolShares(tx, period, terms);
  signal.throwIfAborted();
  await lockSharingPartners(tx);
  await fixPoolFigures(tx, runId, figures);
  const { distributedMinor, participants } = figures;
  // With nobody qualified it is zero, and nothing is posted.
  await fundPool(tx, { ...period, amountMinor: distributedMinor, currency: terms.currency }, at);
  return { runId, participants };
}
