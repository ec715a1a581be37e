import { cancelUnpaidParticipation } from './cancel';
import { showAnyParticipation } from './show';
import { listAllParticipations } from './list';

export const adminParticipationEndpoints = [
  listAllParticipations,
  showAnyParticipation,
  cancelUnpaidParticipation,
];
