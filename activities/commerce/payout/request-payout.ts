import { sealDestination, openDestination } from '../../../db/commerce/payout/destination';
import { bookHold } from '../../../db/commerce/payout/payout-ledger.transitions';
import { payoutAccount, type PayoutAccount } from '../../../db/commerce/payout/payout-account.reads';
import { findPayout, insertPayout } from '../../../db/commerce/payout/payout.transitions';
import { payoutDetailsOf } from '../../../db/identity/user/payout-details.reads';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import { InsufficientBalance } from '../../../db/ledger/ledger.transitions';
import type { Policy } from '../../../db/policy/config';
import { Unsealable } from '../../../db/sealing/cipher';
import { keysOf } from '../../../db/sealing/keys-of';
import { sealPurposes } from '../../../db/sealing/purposes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { toMinor } from '../../../workflows/commerce/money.rules';
import { maskedDestination, type Destination } from '../../../workflows/commerce/payout/destination.rules';
import type { PayoutActivities, PayoutState } from '../../../workflows/commerce/payout/payout.contract';
import { obstacleRefusal } from '../../../workflows/commerce/payout/payout-refusals';
import { payoutObstacles } from '../../../workflows/commerce/payout/payout.rules';
import { refusal } from '../../../workflows/errors';
import type { Payouts } from '../../providers/payouts';
import { queuePayoutMail } from './queue-payout-mail';
import { stateOf } from './payout-state';

type Request = Parameters<PayoutActivities['requestPayout']>[0];

export interface PayoutDeps {
  db: Db;
  payouts: Payouts;
  policy: Pick<Policy, 'payoutMinimum' | 'payoutFourEyes' | 'transferOutDays' | 'reconciliationStopsPayouts'>;
}

/**
 * Requests a payout: holds its amount, stores its destination as it is now, and mails the owner. The same payout again only
 * returns its state. Decided under the lock of the user, so that two requests of one user come one after another. Refused:
 * NOT_A_PARTNER, FORBIDDEN, BELOW_MINIMUM, PAYOUT_DETAILS_MISSING, KYC_REQUIRED, PAYOUT_PENDING, INSUFFICIENT_BALANCE.
 */
export const requestPayout = ({ db, policy }: PayoutDeps, request: Request): Promise<PayoutState> =>
  inTransaction(db, async (tx) => {
    const { payoutId: id, userId, kind, amountMinor, currency } = request;
    await lockUserStanding(tx, userId);
    const before = await findPayout(tx, id);
    if (before) return stateOf(before, policy);
    const account = await payoutAccount(tx, { userId, kind, currency });
    const partnerId = requireGranted(account, request, policy);
    const destination = await savedDestination(tx, userId);
    const at = new Date(request.at);
    const payout = {
      ...{ id, kind, userId, partnerId, amountMinor, currency },
      method: destination.method,
      details: sealDestination(keysOf(tx), sealPurposes.payoutDestination(id), destination),
      maskedDetails: maskedDestination(destination),
      status: 'PENDING' as const,
      createdAt: at,
    };
    await insertPayout(tx, payout);
    try {
      await bookHold(tx, payout, at);
    } catch (error) {
      if (!(error instanceof InsufficientBalance)) throw error;
      throw refusal('INSUFFICIENT_BALANCE');
    }
    await queuePayoutMail(tx, payout, 'REQUESTED');
    return stateOf({ ...payout, ...UNSENT }, policy);
  });

const UNSENT = { provider: null, approvedAt: null, processedAt: null, lastRefusal: null };

/** Refuses a request for its first obstacle; returns the partner that the payout is of. */
function requireGranted(
  account: PayoutAccount | null,
  { kind, amountMinor, currency }: Request,
  { payoutMinimum }: PayoutDeps['policy'],
): string | null {
  const minimum = { minor: toMinor(payoutMinimum, currency), currency };
  if (account === null) throw obstacleRefusal('ACCOUNT_NOT_ACTIVE', minimum);
  if (kind === 'PARTNER' && account.partnerId === null) throw refusal('NOT_A_PARTNER');
  const [obstacle] = payoutObstacles(account, amountMinor, minimum.minor);
  if (obstacle !== undefined) throw obstacleRefusal(obstacle, minimum);
  return kind === 'PARTNER' ? account.partnerId : null;
}

/** The saved details of the locked user. */
async function savedDestination(tx: Tx, userId: string): Promise<Destination> {
  const sealed = await payoutDetailsOf(tx, userId);
  try {
    if (sealed !== null) return openDestination(keysOf(tx), sealPurposes.payoutDetails(userId), sealed);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error; // Their key is gone: the owner has to enter them again.
  }
  throw refusal('PAYOUT_DETAILS_MISSING');
}
