import { stateTable, type StateOf } from '../../kit/state-table';

/** The moves of an entrance fee by its payment and its payment window. One that is paid makes a partner of its user. */
export const entranceStates = stateTable('partner_entrances', {
  PENDING_PAYMENT: ['PAID', 'CANCELLED'],
  PAID: [],
  CANCELLED: [],
});

export type EntranceStatus = StateOf<typeof entranceStates>;
