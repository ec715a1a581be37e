import type { OperationWords } from '../words';

/** Joining the partner programme, and the decisions of administrators on memberships. */
export const membershipOperations: OperationWords = {
  'POST /mlm/partner/join': ['joinPartnerProgramme', 'The membership, or the way to pay the entrance fee'],
  'POST /admin/partners/:id/suspend': ['suspendPartner', 'The suspended partner'],
  'POST /admin/partners/:id/activate': ['activatePartner', 'The partner, who is active again'],
  'POST /admin/partners/:id/terminate': ['terminatePartner', 'The partner whose membership has ended'],
  'POST /admin/partners/:id/rank': ['setPartnerRank', 'The rank before and now'],
};
