import { joinPartnerProgramme } from './join';
import { showOwnPartner } from './me';
import { showOwnNetwork } from './network';
import { showOwnNetworkStats } from './network-stats';

export const ownPartnerEndpoints = [
  joinPartnerProgramme,
  showOwnPartner,
  showOwnNetwork,
  showOwnNetworkStats,
];
