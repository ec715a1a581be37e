import {
  refundsUnderWay,
  type RefundUnderWay,
} from '../../../db/commerce/refund/sending/refunds-under-way.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { refOf } from '../../../workflows/commerce/payable/payable.rules';
import { paymentRefundProcess } from '../../../workflows/commerce/refund/payment-refund.contract';
import { inGroups } from '../webhook/in-groups';
import type { StartProcess } from '../webhook/webhook-sweep.activities';

const BATCH = 200;

/** Starts the processes of refunds that are not sent yet, where they have none any more; answers their number. */
export async function startForgottenRefunds(
  { db, start }: { db: Db; start: StartProcess },
  before: Date,
): Promise<number> {
  let started = 0;
  for (let after: RefundUnderWay | null = null; ;) {
    const found: RefundUnderWay[] = await refundsUnderWay(db, { before, after, limit: BATCH });
    started += await inGroups(found, (group) =>
      Promise.allSettled(
        group.map((refund) =>
          start(paymentRefundProcess, {
            ...{ refundId: refund.id, ...refOf(refund) },
            ...{ userId: refund.userId, label: moneyLabel(refund) },
          }),
        ),
      ),
    );
    after = found.at(-1) ?? null;
    if (found.length < BATCH) return started;
  }
}
