import { cancelUnpaidParticipationEndpoint } from './cancel';
import { confirmParticipationPayment } from './confirm-payment';
import { showAnyParticipation } from './show';
import { listAllParticipations } from './list';

export const adminParticipationEndpoints = [
  listAllParticipations,
  showAnyParticipation,
  confirmParticipationPayment,
  cancelUnpaidParticipationEndpoint,
];
