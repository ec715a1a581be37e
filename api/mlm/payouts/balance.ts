import { z } from 'zod';
import { payoutAccount } from '../../../db/commerce/payout/payout-account.reads';
import { PLATFORM_CURRENCY, toMajor, toMinor } from '../../../workflows/commerce/money.rules';
import { PAYOUT_OBSTACLES, payoutObstacles } from '../../../workflows/commerce/payout/payout.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { notAPartner } from '../own-partner';

export const showPayoutBalance = endpoint({
  id: 'getPayoutBalance',
  returns: 'What can be paid out, and what keeps it from that',
  method: 'get',
  path: '/mlm/payouts/balance',
  summary: 'Show what can be paid out',
  description: 'What you have earned, and what a payout of all that is available depends on.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: z
    .object({
      available: z.number().meta({ description: 'Below zero after a refund of what was paid out.' }),
      pending: z.number().meta({ description: 'Commissions that are not available yet.' }),
      held: z.number().meta({ description: 'The amount of the open payout.' }),
      currency: z.string(),
      minimumPayout: z.number().describe('The least amount of a payout.'),
      canRequest: z.boolean().describe('True if a payout of all that is available can be requested.'),
      reasons: z
        .array(
          z.enum(PAYOUT_OBSTACLES).meta({
            id: 'PayoutObstacle',
            description:
              'What keeps a user from a payout. ACCOUNT_NOT_ACTIVE: the account is suspended or banned.',
          }),
        )
        .meta({ description: 'Why a payout of all that is available cannot be requested now.' }),
    })
    .meta({ id: 'PayoutBalance' }),
  errors: { NOT_A_PARTNER: 403 },

  async handle(_, { caller, db, policy }) {
    const currency = PLATFORM_CURRENCY;
    const account = await payoutAccount(db, { userId: caller.id, kind: 'PARTNER', currency });
    if (!account || account.partnerId === null) throw notAPartner();
    const reasons = payoutObstacles(account, account.availableMinor, toMinor(policy.payoutMinimum, currency));
    return {
      available: toMajor(account.availableMinor, currency),
      pending: toMajor(account.pendingMinor, currency),
      held: toMajor(account.heldMinor, currency),
      currency,
      minimumPayout: policy.payoutMinimum,
      canRequest: reasons.length === 0,
      reasons,
    };
  },
});
