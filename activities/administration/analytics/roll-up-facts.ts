import { rollUpChanges } from '../../../db/administration/analytics/rollup.transitions';
import { inChunks, type JobWork } from '../../administration/job/job-work';

/** Facts of one transaction. */
const BATCH = 10_000;
/** The facts that are left say how far it is: a chunk deletes what it adds to the rollups. */
const MORE = 'more';

/** Adds the stored facts to the rollups. Any number of runs may do so at once or one after the other. */
export const rollupWork = (batch = BATCH): JobWork =>
  inChunks('Facts added to the rollups', async (tx) => {
    const { facts } = await rollUpChanges(tx, batch);
    return { cursor: facts < batch ? null : MORE, done: facts };
  });
