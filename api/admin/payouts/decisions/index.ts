import type { Endpoint } from '../../../http/endpoint';
import type { PayoutDesk } from '../desk';
import { approvePayoutEndpoint } from './approve';
import { approvePayouts } from './approve-many';
import { cancelPayoutEndpoint } from './cancel';
import { completePayoutEndpoint } from './complete';
import { processPayoutEndpoint } from './process';
import { rejectPayoutEndpoint } from './reject';

/** The decisions of administrators on payouts. */
export const payoutDecisions = (desk: PayoutDesk): Endpoint[] => [
  approvePayouts(desk),
  approvePayoutEndpoint(desk),
  rejectPayoutEndpoint(desk),
  processPayoutEndpoint(desk),
  completePayoutEndpoint(desk),
  cancelPayoutEndpoint(desk),
];
