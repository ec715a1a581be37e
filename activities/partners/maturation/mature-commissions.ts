import {
  chooseDueCommissions,
  endOfDueBatch,
  matureChosenCommissions,
  type MaturationPosition,
} from '../../../db/partners/commission/maturation.transitions';
import { inChunks, type Chunk, type JobWork } from '../../administration/job/job-work';

/** Approves the next commissions of one half of the partners that are due. */
const matureHalf =
  (half: 0 | 1, limit: number): Chunk<MaturationPosition> =>
  async (tx, { at: moment, cursor: after }) => {
    const at = moment.toISOString();
    const upTo = await endOfDueBatch(tx, { at, after, half, limit });
    await chooseDueCommissions(tx, { at, after, upTo, half });
    return { cursor: upTo, done: await matureChosenCommissions(tx, at) };
  };

/**
 * The maturation of both halves of the partners at once: most of the time goes into the ledger's triggers, on one core for each
 * connection. What is due is read from the rows, so a run makes up for those that were missed.
 */
export const maturationWork = ({ commissionBatch: limit }: { commissionBatch: number }): JobWork =>
  inChunks('Commissions that became available', matureHalf(0, limit), matureHalf(1, limit));
