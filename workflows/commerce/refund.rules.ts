import type { OrderStatus } from './order.states';
import { halfUp, largestRemainder, sumMinor } from './pricing.rules';

/** How long after delivery goods may be given back. */
const REFUND_WINDOW_MS = 14 * 24 * 3_600_000;

interface Delivered {
  status: OrderStatus;
  deliveredAt: Date | null;
}

/** What keeps a buyer from asking for money back: it may be asked from when the parcel leaves until 14 days after it came. */
export function whyNotRefundable(
  order: Delivered,
  at: Date,
): 'CANNOT_REFUND' | 'REFUND_PERIOD_EXPIRED' | null {
  if (order.status === 'SHIPPED') return null;
  if (order.status !== 'DELIVERED' || order.deliveredAt === null) return 'CANNOT_REFUND';
  return at.getTime() - order.deliveredAt.getTime() <= REFUND_WINDOW_MS ? null : 'REFUND_PERIOD_EXPIRED';
}

/** Whether a buyer may ask for money back. */
export const isRefundable = (order: Delivered, at: Date): boolean => whyNotRefundable(order, at) === null;

/** One line of an order as it was sold, and how many of its pieces were given back before. */
export interface ReturnableLine {
  itemId: string;
  quantity: number;
  returned: number;
  /** After discount, before tax; of the whole line. */
  goodsMinor: number;
  taxMinor: number;
}

export interface ReturnableOrder {
  lines: readonly ReturnableLine[];
  shippingMinor: number;
  /** Of all lines and of the shipping. */
  taxMinor: number;
}

/** Pieces of a line, and the money that they are worth. */
export interface ReturnedPart {
  itemId: string;
  quantity: number;
  goodsMinor: number;
  taxMinor: number;
}

export interface ReturnClaim {
  parts: ReturnedPart[];
  /** With its tax; 0 unless nothing of the order stays with the buyer. */
  shippingMinor: number;
  claimedMinor: number;
}

/**
 * What pieces of an order are worth. Each is reckoned by what all pieces up to it are worth, so however they are given
 * back, they add up to the line. Shipping comes back with the last piece. `wanted`: how many of which line, never more
 * than are left.
 */
export function claimFor(order: ReturnableOrder, wanted: ReadonlyMap<string, number>): ReturnClaim {
  const parts = order.lines.flatMap((line): ReturnedPart[] => {
    const quantity = wanted.get(line.itemId) ?? 0;
    if (quantity === 0) return [];
    const { itemId, goodsMinor, taxMinor } = line;
    return [
      {
        itemId,
        quantity,
        goodsMinor: worth(line, goodsMinor, quantity),
        taxMinor: worth(line, taxMinor, quantity),
      },
    ];
  });
  const nothingStays = order.lines.every(
    ({ itemId, quantity, returned }) => returned + (wanted.get(itemId) ?? 0) === quantity,
  );
  const shippingMinor = nothingStays && parts.length > 0 ? order.shippingMinor + shippingTax(order) : 0;
  const claimedMinor = sumMinor([
    ...parts.flatMap((part) => [part.goodsMinor, part.taxMinor]),
    shippingMinor,
  ]);
  return { parts, shippingMinor, claimedMinor };
}

/** All that has not been given back yet, by line. */
export const allThatIsLeft = ({ lines }: Pick<ReturnableOrder, 'lines'>): Map<string, number> =>
  new Map(lines.map(({ itemId, quantity, returned }) => [itemId, quantity - returned]));

function worth({ quantity, returned }: ReturnableLine, wholeMinor: number, pieces: number): number {
  const upTo = (count: number): number => halfUp(BigInt(wholeMinor) * BigInt(count), BigInt(quantity));
  return upTo(returned + pieces) - upTo(returned);
}

const shippingTax = ({ taxMinor, lines }: ReturnableOrder): number =>
  taxMinor - sumMinor(lines.map((line) => line.taxMinor));

/** The parts of an approved amount, as the ledger books them. */
export interface RefundShares {
  goodsMinor: number;
  taxMinor: number;
  shippingMinor: number;
}

/**
 * Where an approved amount comes from. Chosen: less than was claimed is goods and their tax first, in proportion, and
 * shipping only beyond these: it comes back with a full refund only. No share exceeds what was claimed of its kind.
 */
export function sharesOf(
  { parts, shippingMinor }: Pick<ReturnClaim, 'parts' | 'shippingMinor'>,
  approvedMinor: number,
  netShippingMinor: number,
): RefundShares {
  const claimed = parts.flatMap((part) => [part.goodsMinor, part.taxMinor]);
  const ofGoods = Math.min(approvedMinor, sumMinor(claimed));
  const shares = largestRemainder(ofGoods, claimed);
  const net = Math.min(netShippingMinor, shippingMinor);
  const [shipping = 0, taxOnShipping = 0] = largestRemainder(approvedMinor - ofGoods, [
    net,
    shippingMinor - net,
  ]);
  return {
    goodsMinor: sumMinor(shares.filter((_, index) => index % 2 === 0)),
    taxMinor: sumMinor(shares.filter((_, index) => index % 2 === 1)) + taxOnShipping,
    shippingMinor: shipping,
  };
}

interface PaidOrder {
  totalMinor: number;
  partnerBalanceMinor: number;
  /** Gone back or promised, of both kinds. */
  refundedMinor: number;
}

interface CapturedMoney {
  refundedMinor: number;
  chargedBackMinor: number;
}

/** What can still go back of the two kinds of money that an order was paid with. */
export interface MoneyLeft {
  methodMinor: number;
  partnerMinor: number;
}

/**
 * What can still go back of an order. What its payment method brought is given back first, partner earnings last; what
 * a bank took back by itself has gone. `capture` is what a provider brought, null for an order paid from balances.
 */
export function moneyLeft(order: PaidOrder, capture: CapturedMoney | null): MoneyLeft {
  const broughtMinor = order.totalMinor - order.partnerBalanceMinor;
  const sentMinor = capture ? capture.refundedMinor : Math.min(order.refundedMinor, broughtMinor);
  return {
    methodMinor: Math.max(0, broughtMinor - sentMinor - (capture?.chargedBackMinor ?? 0)),
    partnerMinor: Math.max(0, order.partnerBalanceMinor - (order.refundedMinor - sentMinor)),
  };
}

/** Whether an order has both goods that can still be given back and money for them. */
export function isAnythingLeft(order: ReturnableOrder & PaidOrder, capture: CapturedMoney | null): boolean {
  const { methodMinor, partnerMinor } = moneyLeft(order, capture);
  return methodMinor + partnerMinor > 0 && claimFor(order, allThatIsLeft(order)).claimedMinor > 0;
}
