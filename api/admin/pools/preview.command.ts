import { computePoolShares, countPoolVolumes, poolTerms } from '../../../db/partners/pool/pool-count.reads';
import { previewedShares } from '../../../db/partners/pool/pool-share.reads';
import { earlierRuns, earlierThanRun, lateSalesMinor } from '../../../db/partners/pool/pool-sales.reads';
import { readAsOfNow } from '../../../db/partners/pool/pool.reads';
import type { Db } from '../../../db/sql/query';
import { inRolledBackTransaction } from '../../../db/sql/transaction';
import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import type { PoolPeriod } from '../../../workflows/partners/pool/pool-period.rules';
import { Busy } from '../../http/limits/gate';

/** The most shares that a preview returns. */
export const MOST_PREVIEWED = 500;
/** Longest time of a preview; the last statement may take as long again. */
const LONGEST_MS = 15_000;

/**
 * Computes a pool as a run does, in a transaction that is rolled back; of a period that has a run, of the sales that this saw.
 * Throws `Busy` if it takes too long.
 */
export const previewPool = (db: Db, period: PoolPeriod) =>
  inRolledBackTransaction(db, async (tx) => {
    const until = Date.now() + LONGEST_MS;
    const check = (): void => {
      if (Date.now() > until) throw new Busy(60);
    };
    await readAsOfNow(tx, LONGEST_MS);
    const terms = await poolTerms(tx, period, PLATFORM_CURRENCY);
    const ran = await earlierThanRun(tx, period);
    const counted = { ...terms, earlier: ran ?? (await earlierRuns(tx, period)) };
    await countPoolVolumes(tx, period, counted, check);
    const figures = { ...period, ...terms, ...(await computePoolShares(tx, period, counted)) };
    const shares = await previewedShares(tx, terms.programmeVersion, MOST_PREVIEWED);
    return { figures, shares, lateSalesMinor: ran ? await lateSalesMinor(tx, ran.runId) : 0 };
  });
