import { stateTable, type StateOf } from '../../kit/state-table';

/** The moves of a partner by administrators. A terminated partner keeps the place in the tree and earns nothing more. */
export const partnerStates = stateTable('partners', {
  ACTIVE: ['SUSPENDED', 'TERMINATED'],
  SUSPENDED: ['ACTIVE', 'TERMINATED'],
  TERMINATED: [],
});

export type PartnerStatus = StateOf<typeof partnerStates>;
