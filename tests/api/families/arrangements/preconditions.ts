import { firstRow } from '../../../../db/sql/query';
import type { ErrorCode } from '../../../../workflows/errors';
import type { Endpoint } from '../../../../api/http/endpoint';
import { CARD } from '../../../support/builders/investing/withdrawing';
import { begunVerification } from '../../../support/builders/kyc/verifying';
import { make } from '../../../support/builders/make';
import { saveDetails } from '../../../support/builders/paying-out/payees';
import type { Ground } from '../../../support/resources/ground';
import type { Place } from '../../../support/resources/make';
import { earningPartnerOf, partnerOf } from '../../../support/resources/partners';

type Prevent = (ground: Ground, place: Place) => Promise<unknown>;

/** Keeps an endpoint from refusing its caller with a code that it declares; carried out in this order. */
const PREVENTS: Partial<Record<ErrorCode, Prevent>> = {
  NOT_A_PARTNER: ({ world: { db } }, { caller }) => partnerOf(db, caller.user.id),
  PAYOUT_DETAILS_MISSING: ({ world: { db } }, { caller }) => saveDetails(db, caller.user.id, CARD),
  async INSUFFICIENT_BALANCE({ world: { db } }, { caller: { user } }) {
    await make.money(db, user.id, 10_000_00);
    const isPartner = await firstRow(db, 'SELECT 1 AS one FROM partners WHERE user_id = $1', [user.id]);
    if (isPartner) await earningPartnerOf(db, user.id);
  },
  NOT_PURCHASED: ({ world: { db } }, { caller, within }) =>
    make.purchase(db, { userId: caller.user.id, productId: String(within.product) }),
  // The tries of a verification, which has to be begun.
  MAX_ATTEMPTS: ({ world: { db } }, { caller: { user } }) => begunVerification(db, { user }),
};

/** Puts the caller into the position in which the endpoint does not refuse them. */
export async function prepared(ground: Ground, { errors }: Endpoint, place: Place): Promise<void> {
  for (const [code, prevent] of Object.entries(PREVENTS)) if (code in errors) await prevent(ground, place);
}
