import { BY_HAND } from '../../commerce/payout/transfer-out.rules';
import { refusal } from '../../errors';
import type { WithdrawalStatus } from './withdrawal.states';

/**
 * The refusal to settle a withdrawal that is over. One that was completed by a provider's transfer says so: a person who has
 * sent the money as well must learn of it, also when an answer was lost and they ask again.
 */
export const alreadySettled = ({
  status,
  provider,
}: {
  status: WithdrawalStatus;
  provider: string | null;
}): Error =>
  refusal(
    'ALREADY_SETTLED',
    status === 'COMPLETED' && provider !== null && provider !== BY_HAND
      ? `The money had already arrived through ${provider}, so this withdrawal is completed by that transfer.`
      : 'This withdrawal is already settled.',
  );
