import { recountUnitsSold } from '../../../db/catalog/popularity/popularity.transitions';
import type { Policy } from '../../../db/policy/config';
import { inChunks, type JobWork } from '../../administration/job/job-work';

/** Products per transaction: few, since buyers of these products wait for it. */
const BATCH = 2_000;

/** The daily recount of popularity, by the order of the products' ids. */
export const popularityWork = ({ popularityDays: windowDays }: Pick<Policy, 'popularityDays'>): JobWork =>
  inChunks<string>('Products whose popularity changed', async (tx, { at, cursor: after }) => {
    const recounted = await recountUnitsSold(tx, { at, after, limit: BATCH, windowDays });
    return { cursor: recounted.after, done: recounted.changed };
  });
