import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { ParkedProcess } from './parked-process.model';

/** The wait of a process for a person. */
type ParkedEntry = Pick<Attributes<ParkedProcess>, 'workflowId' | 'since' | 'reason'>;

/** The entries of those of these processes that are on the operators' list. */
export const parkedAmong = (db: Db, workflowIds: readonly string[]): Promise<ParkedEntry[]> =>
  table(db, ParkedProcess).all(['workflowId', 'since', 'reason'], { workflowId: workflowIds });
