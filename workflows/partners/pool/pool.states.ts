import { stateTable, type StateOf } from '../../kit/state-table';

/** PAYING: its figures are fixed, and its shares are paid one batch after the other. */
export const poolRunStates = stateTable('pool_runs', {
  PAYING: ['COMPLETED'],
  COMPLETED: [],
});

export type PoolRunStatus = StateOf<typeof poolRunStates>;
