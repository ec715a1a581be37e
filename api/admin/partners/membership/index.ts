import type { Endpoint } from '../../../http/endpoint';
import { activatePartner } from './activate';
import { confirmEntrancePayment } from './confirm-entrance';
import { setPartnerRankEndpoint } from './set-rank';
import { suspendPartner } from './suspend';
import { terminatePartner } from './terminate';

export const adminMembershipEndpoints: readonly Endpoint[] = [
  suspendPartner,
  activatePartner,
  terminatePartner,
  setPartnerRankEndpoint,
  confirmEntrancePayment,
];
