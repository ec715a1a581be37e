import { z } from 'zod';
import type { OwnPayout } from '../../../../db/commerce/payout/payout.reads';
import { ownPayoutParts, ownPayoutView, PayoutKindField } from '../../../mlm/payouts/payout.view';

/** A payout from the partner balance or the wallet; where its money went is masked. */
export const PayoutExport = z.object({
  kind: PayoutKindField,
  ...ownPayoutParts,
});

export const payoutExport = (payout: OwnPayout): z.output<typeof PayoutExport> => ({
  kind: payout.kind,
  ...ownPayoutView(payout),
});
