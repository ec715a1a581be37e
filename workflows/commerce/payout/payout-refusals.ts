import { refusal, refusalOf } from '../../errors';
import { amountInWords, toMinor } from '../money.rules';
import type { PayoutAction, PayoutKind, PayoutObstacle } from './payout.rules';
import type { PayoutStatus } from './payout.states';
import { BY_HAND } from './transfer-out.rules';

/** The refusal of a request for its first obstacle. */
export function obstacleRefusal(
  obstacle: PayoutObstacle,
  minimum: { minor: number; currency: string },
): Error {
  switch (obstacle) {
    case 'ACCOUNT_NOT_ACTIVE':
      return refusalOf({
        code: 'FORBIDDEN',
        message: 'Only an active account can request a payout.',
        reason: 'USER_STATUS_NOT_ALLOWED',
      });
    case 'PARTNER_SUSPENDED':
      return refusalOf({
        code: 'FORBIDDEN',
        message: 'A suspended partner cannot request a payout.',
        reason: obstacle,
      });
    case 'ACCOUNT_BEING_DELETED':
      return refusalOf({
        code: 'FORBIDDEN',
        message: 'This account is to be deleted. Undo that before you request a payout.',
        reason: obstacle,
      });
    case 'KYC_REQUIRED':
      return refusal(obstacle, 'A payout needs an identity verification of level STANDARD.');
    case 'PAYOUT_DETAILS_MISSING':
      return refusal(obstacle);
    case 'BELOW_MINIMUM':
      return refusal(obstacle, `A payout is of at least ${amountInWords(minimum.minor, minimum.currency)}.`);
    case 'PAYOUT_PENDING':
      return refusal(obstacle);
    case 'INSUFFICIENT_BALANCE':
      return refusal(obstacle);
  }
}

/** The refusal of every command on a payout that does not exist, in the words of its kind. */
export const noSuchPayout = (kind: PayoutKind): Error =>
  kind === 'PARTNER' ? refusal('PAYOUT_NOT_FOUND') : refusal('WITHDRAWAL_NOT_FOUND');

/** A payout as far as a decision depends on it. */
export interface Decidable {
  status: PayoutStatus;
  provider: string | null;
}

/**
 * The refusal of a report on a payout that a provider's transfer has completed: a person who has sent the money as well must
 * learn of it, also when an answer was lost and they ask again.
 */
export const arrivedThrough = (provider: string): Error =>
  refusal(
    'ALREADY_SETTLED',
    `The money had already arrived through ${provider}, so this payout is completed by that transfer.`,
  );

function notProcessing({ status, provider }: Decidable): Error {
  if (status !== 'COMPLETED') return refusal('NOT_PROCESSING', `This payout is ${status}.`);
  return provider === null || provider === BY_HAND
    ? refusal('ALREADY_SETTLED', 'This payout is already settled.')
    : arrivedThrough(provider);
}

/** The states in which each decision is made, and the refusal in any other. */
const DECIDABLE: Record<PayoutAction, { in: readonly PayoutStatus[]; refuse: (payout: Decidable) => Error }> =
  {
    APPROVE: { in: ['PENDING'], refuse: ({ status }) => refusal('NOT_PENDING', `This payout is ${status}.`) },
    REJECT: {
      in: ['PENDING', 'APPROVED'],
      refuse: ({ status }) => refusal('NOT_REJECTABLE', `This payout is ${status}.`),
    },
    CANCEL: {
      in: ['PENDING', 'APPROVED'],
      refuse: ({ status }) => refusal('NOT_CANCELLABLE', `This payout is ${status}.`),
    },
    PROCESS: {
      in: ['APPROVED'],
      refuse: ({ status }) => refusal('NOT_APPROVED', `This payout is ${status}.`),
    },
    COMPLETE: { in: ['PROCESSING'], refuse: notProcessing },
    REFUSE: { in: ['PROCESSING'], refuse: notProcessing },
  };

/** Refuses a decision that the status of a payout does not allow; its owner cancels a PENDING one only. */
export function requireDecidable(action: PayoutAction, payout: Decidable, byOwner = false): void {
  const { in: states, refuse } = DECIDABLE[action];
  const { status } = payout;
  if (!states.includes(status) || (byOwner && status !== 'PENDING')) throw refuse(payout);
}

/**
 * Refuses an administrator who took the step before this one, for an amount (minor units) above `fourEyes` (major units):
 * FORBIDDEN with the reason SECOND_ADMINISTRATOR_REQUIRED.
 */
export function requireSecondAdministrator(
  { amountMinor, currency }: { amountMinor: number; currency: string },
  actorId: string | null,
  stepBeforeBy: string | null,
  fourEyes: number | undefined,
): void {
  if (fourEyes === undefined || amountMinor <= toMinor(fourEyes, currency)) return;
  if (stepBeforeBy !== null && stepBeforeBy === actorId)
    throw refusalOf({
      code: 'FORBIDDEN',
      message: 'A payout of this amount needs another administrator for this step.',
      reason: 'SECOND_ADMINISTRATOR_REQUIRED',
    });
}

/** The refusal of a transfer, which leaves its payout APPROVED. */
export const paymentFailed = (reason: string | null): Error =>
  refusal(
    'PAYMENT_FAILED',
    `The transfer was refused (${inBrackets(reason)}), so the payout is APPROVED again.`,
  );

const inBrackets = (reason: string | null): string => reason?.replace(/\.$/, '') ?? 'no reason is known';
