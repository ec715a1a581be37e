import { lockSoldOrder, soldInvestment } from '../../../db/partners/commission/partner-sale.transitions';
import { sponsorOf } from '../../../db/partners/network/upline.reads';
import { lockUplines } from '../../../db/partners/network/upline.transitions';
import { programmeAt } from '../../../db/partners/programme/programme.reads';
import type { Tx } from '../../../db/sql/query';
import {
  earningUplines,
  entranceCommissions,
  profitCommissions,
  wholeWeight,
} from '../../../workflows/partners/commission/earning.rules';
import { weightsOf } from '../../../workflows/partners/commission/taking-back.rules';
import { countSale } from './count-sale';
import { addCommissions, settleCommissions, termsOf, type Counting } from '../counting/counting';

/** An event by its row. */
export interface EventRow {
  eventId: string;
  occurredAt: Date;
}

/** Counts a paid order. */
export async function countOrder(
  tx: Tx,
  { eventId, occurredAt, orderId }: EventRow & { orderId: string },
  counting: Counting,
): Promise<void> {
  const { buyerId, sponsorId, currency, isFirst, lines } = await lockSoldOrder(tx, orderId);
  const sold = {
    kind: 'ORDER' as const,
    sourceId: orderId,
    buyerId,
    sponsorId,
    currency,
    isRepeat: !isFirst,
  };
  await countSale(tx, { eventId, occurredAt, ...sold, ...weightsOf(lines) }, counting);
}

/** A movement of a participation that was announced. */
export interface Movement extends EventRow {
  participationId: string;
  transactionId: string;
  userId: string;
  amountMinor: number;
  currency: string;
}

/** Counts the deposit of an investment as a sale, which is never a repeat; what begins a next term is no new money. */
export async function countInvestment(tx: Tx, deposit: Movement, counting: Counting): Promise<void> {
  const { eventId, occurredAt, transactionId: sourceId, userId: buyerId, amountMinor, currency } = deposit;
  const { sponsorId, isNextTerm, ...rates } = await soldInvestment(tx, deposit.participationId);
  if (isNextTerm) return;
  const sold = { kind: 'INVESTMENT' as const, sourceId, buyerId, sponsorId, currency, isRepeat: false };
  const weights = weightsOf([{ goodsMinor: amountMinor, ...rates }]);
  await countSale(tx, { eventId, occurredAt, ...sold, ...weights }, counting);
}

/** Counts a profit, which is no sale: commissions only. */
export async function countProfit(tx: Tx, profit: Movement, counting: Counting): Promise<void> {
  const { eventId, occurredAt, transactionId: sourceId, userId: buyerId, amountMinor, currency } = profit;
  const sponsorId = await sponsorOf(tx, buyerId);
  if (sponsorId === null) return;
  const programme = await programmeAt(tx, occurredAt);
  const uplines = await lockUplines(tx, sponsorId);
  const earned = profitCommissions(termsOf(programme), uplines, amountMinor);
  const origin = {
    ...{ eventId, occurredAt, sourceId, buyerId, currency, points: 0 },
    ...{ baseMinor: amountMinor, commissionWeight: wholeWeight(amountMinor) },
    sourcePartnerId: earningUplines(uplines)[0]?.partnerId ?? null,
  };
  const added = await addCommissions(tx, earned, { programme, uplines }, origin, counting);
  await settleCommissions(tx, added, counting.at);
}

/** A paid entrance fee that was announced. */
export interface Entrance extends EventRow {
  entranceId: string;
  partnerId: string;
  userId: string;
  amountMinor: number;
  currency: string;
}

/** Counts an entrance fee: commissions of the three partners next above the new one. */
export async function countEntrance(tx: Tx, entrance: Entrance, counting: Counting): Promise<void> {
  const { eventId, occurredAt, entranceId: sourceId, partnerId, amountMinor, currency } = entrance;
  const uplines = (await lockUplines(tx, partnerId)).slice(1);
  if (uplines.length === 0) return;
  const programme = await programmeAt(tx, occurredAt);
  const earned = entranceCommissions(termsOf(programme), uplines, amountMinor);
  const origin = {
    ...{ eventId, occurredAt, sourceId, buyerId: entrance.userId, currency, points: 0 },
    ...{ baseMinor: amountMinor, commissionWeight: wholeWeight(amountMinor), sourcePartnerId: partnerId },
  };
  const added = await addCommissions(tx, earned, { programme, uplines }, origin, counting);
  await settleCommissions(tx, added, counting.at);
}
