import type { KycLevel } from '../../kyc/kyc.rules';
import { levelMissingToWithdraw } from '../../kyc/kyc-gate.rules';

/** PARTNER: from a partner's available balance. WALLET: from a user's wallet. */
export const PAYOUT_KINDS = ['PARTNER', 'WALLET'] as const;
export type PayoutKind = (typeof PAYOUT_KINDS)[number];

/** The account of its user that each kind is paid from. */
export const SOURCE_OF = {
  PARTNER: 'partner_available',
  WALLET: 'wallet',
} as const satisfies Record<PayoutKind, string>;

/** The decisions of people about a payout. REFUSE: its bank refused the transfer. */
export type PayoutAction = 'APPROVE' | 'REJECT' | 'CANCEL' | 'PROCESS' | 'COMPLETE' | 'REFUSE';

/** The reasons for which a user cannot request a payout, in the order in which they are looked at. */
export const PAYOUT_OBSTACLES = [
  'ACCOUNT_NOT_ACTIVE',
  'PARTNER_SUSPENDED',
  'ACCOUNT_BEING_DELETED',
  'BELOW_MINIMUM',
  'PAYOUT_DETAILS_MISSING',
  'KYC_REQUIRED',
  'PAYOUT_PENDING',
  'INSUFFICIENT_BALANCE',
] as const;
export type PayoutObstacle = (typeof PAYOUT_OBSTACLES)[number];

/** The standing of a user on which a request for a payout depends. */
export interface PayoutStanding {
  /** False for an account that is suspended, banned or erased. */
  isAccountActive: boolean;
  /** True once its owner has requested its deletion. */
  isBeingDeleted: boolean;
  /** False for a wallet, and for a membership that has ended: its owner is still paid what was earned. */
  isPartnerSuspended: boolean;
  level: KycLevel;
  hasDetails: boolean;
  hasOpen: boolean;
  /** The balance that it is paid from; a partner's may be below zero. */
  availableMinor: number;
}

/** Everything that keeps a user from a payout of this amount. */
export function payoutObstacles(
  standing: PayoutStanding,
  amountMinor: number,
  minimumMinor: number,
): PayoutObstacle[] {
  const holds: Record<PayoutObstacle, boolean> = {
    ACCOUNT_NOT_ACTIVE: !standing.isAccountActive,
    PARTNER_SUSPENDED: standing.isPartnerSuspended,
    ACCOUNT_BEING_DELETED: standing.isBeingDeleted,
    KYC_REQUIRED: levelMissingToWithdraw(standing.level) !== null,
    PAYOUT_DETAILS_MISSING: !standing.hasDetails,
    BELOW_MINIMUM: amountMinor < minimumMinor,
    PAYOUT_PENDING: standing.hasOpen,
    INSUFFICIENT_BALANCE: standing.availableMinor < amountMinor,
  };
  return PAYOUT_OBSTACLES.filter((obstacle) => holds[obstacle]);
}
