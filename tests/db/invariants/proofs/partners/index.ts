import type { Proof } from '../../proof';
import { commissionAmountProofs } from './commission-amount.proofs';
import { commissionBalanceProofs } from './commission-balance.proofs';
import { entranceProofs } from './entrance.proofs';
import { partnerProofs } from './partner.proofs';
import { payoutProofs } from './payout.proofs';
import { poolProofs } from './pool.proofs';

/** Proofs of the invariants of the partner programme. */
export const programmeProofs: readonly Proof[] = [
  ...entranceProofs,
  ...poolProofs,
  ...commissionBalanceProofs,
  ...partnerProofs,
  ...commissionAmountProofs,
  ...payoutProofs,
];
