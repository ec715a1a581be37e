import { stateTable, type StateOf } from '../../kit/state-table';

/** The moves of a participation by its owner, payments, timers and the reports of its provider. */
export const participationStates = stateTable('participations', {
  PENDING_PAYMENT: ['ACTIVE', 'CANCELLED'],
  ACTIVE: ['MATURED', 'WITHDRAWN'],
  MATURED: [],
  WITHDRAWN: [],
  CANCELLED: [],
});

export type ParticipationStatus = StateOf<typeof participationStates>;
