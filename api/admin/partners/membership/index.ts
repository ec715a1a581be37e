import type { Endpoint } from '../../../http/endpoint';
import { activatePartner } from './activate';
import { setPartnerRankEndpoint } from './set-rank';
import { suspendPartner } from './suspend';
import { terminatePartner } from './terminate';

export const adminMembershipEndpoints: readonly Endpoint[] = [
  suspendPartner,
  activatePartner,
  terminatePartner,
  setPartnerRankEndpoint,
];
