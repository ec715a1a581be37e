import type { Endpoint } from '../../http/endpoint';
import { listParticipations } from './list';
import { openParticipationEndpoint } from './open';
import { showParticipation } from './show';
import { withdrawParticipation } from './withdraw';

export const participationEndpoints: readonly Endpoint[] = [
  listParticipations,
  showParticipation,
  openParticipationEndpoint,
  withdrawParticipation,
];
