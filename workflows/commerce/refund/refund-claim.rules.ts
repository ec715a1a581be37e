import { halfUp, largestRemainder, sumMinor } from '../order/pricing.rules';

/** One line of an order as it was sold, and how many of its pieces were given back before. */
export interface ReturnableLine {
  itemId: string;
  quantity: number;
  returned: number;
  /** After discount, before tax; of the whole line. */
  goodsMinor: number;
  taxMinor: number;
}

/** Money of a sale, by what it was paid for. */
export interface RefundShares {
  /** After discount, before tax. */
  goodsMinor: number;
  goodsTaxMinor: number;
  shippingMinor: number;
  shippingTaxMinor: number;
}

export interface ReturnableOrder {
  lines: readonly ReturnableLine[];
  shippingMinor: number;
  /** Of all lines and of the shipping. */
  taxMinor: number;
  /** What was given back, or is promised, before. */
  back: RefundShares;
}

/** What of a sale can still be taken back, by what it was paid for. */
export function saleLeft({ lines, shippingMinor, taxMinor, back }: ReturnableOrder): RefundShares {
  const goodsTaxMinor = sumMinor(lines.map((line) => line.taxMinor));
  return {
    goodsMinor: sumMinor(lines.map(({ goodsMinor }) => goodsMinor)) - back.goodsMinor,
    goodsTaxMinor: goodsTaxMinor - back.goodsTaxMinor,
    shippingMinor: shippingMinor - back.shippingMinor,
    shippingTaxMinor: taxMinor - goodsTaxMinor - back.shippingTaxMinor,
  };
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
  /** For no pieces: of the goods, and of the shipping beyond these. */
  amountMinor: number;
  /** With its tax. */
  shippingMinor: number;
  claimedMinor: number;
}

/**
 * What pieces of an order are worth. Each is reckoned by what all pieces up to it are worth, so however they are given
 * back, they add up to the line. Shipping comes back with the last piece. `wanted`: how many of which line, never more
 * than are left.
 */
export function claimFor(order: ReturnableOrder, wanted: ReadonlyMap<string, number>): ReturnClaim {
  const parts = partsFor(order, wanted);
  const nothingStays = order.lines.every(
    ({ itemId, quantity, returned }) => returned + (wanted.get(itemId) ?? 0) === quantity,
  );
  return claimOf({
    parts,
    amountMinor: 0,
    shippingMinor: nothingStays && parts.length > 0 ? shippingLeft(order) : 0,
  });
}

/** What an administrator gives back: pieces of an order or an amount for none, and the shipping only if they say so. */
export function claimByAdministrator(
  order: ReturnableOrder,
  { wanted, amountMinor, includeShipping }: GivenByAdministrator,
): ReturnClaim {
  return claimOf({
    parts: partsFor(order, wanted),
    amountMinor,
    shippingMinor: includeShipping ? shippingLeft(order) : 0,
  });
}

interface GivenByAdministrator {
  wanted: ReadonlyMap<string, number>;
  amountMinor: number;
  includeShipping: boolean;
}

const claimOf = (claim: Omit<ReturnClaim, 'claimedMinor'>): ReturnClaim => ({
  ...claim,
  claimedMinor: piecesMinor(claim) + claim.amountMinor + claim.shippingMinor,
});

const piecesMinor = ({ parts }: Pick<ReturnClaim, 'parts'>): number =>
  sumMinor(parts.flatMap((part) => [part.goodsMinor, part.taxMinor]));

function shippingLeft(order: ReturnableOrder): number {
  const { shippingMinor, shippingTaxMinor } = saleLeft(order);
  return shippingMinor + shippingTaxMinor;
}

function partsFor(
  { lines }: Pick<ReturnableOrder, 'lines'>,
  wanted: ReadonlyMap<string, number>,
): ReturnedPart[] {
  return lines.flatMap((line): ReturnedPart[] => {
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
}

/** All that has not been given back yet, by line. */
export const allThatIsLeft = ({ lines }: Pick<ReturnableOrder, 'lines'>): Map<string, number> =>
  new Map(lines.map(({ itemId, quantity, returned }) => [itemId, quantity - returned]));

function worth({ quantity, returned }: ReturnableLine, wholeMinor: number, pieces: number): number {
  const upTo = (count: number): number => halfUp(BigInt(wholeMinor) * BigInt(count), BigInt(quantity));
  return upTo(returned + pieces) - upTo(returned);
}

/** Of what is claimed, what can be taken back: of no kind more than is left of it. */
function claimable(
  claim: ReturnClaim,
  left: RefundShares,
): Record<'goods' | 'goodsTax' | 'ofGoods' | 'shipping', number> {
  const ofPieces = claim.amountMinor === 0;
  const goods = ofPieces ? sumMinor(claim.parts.map((part) => part.goodsMinor)) : left.goodsMinor;
  const goodsTax = ofPieces ? sumMinor(claim.parts.map((part) => part.taxMinor)) : left.goodsTaxMinor;
  const caps = { goods: Math.min(goods, left.goodsMinor), goodsTax: Math.min(goodsTax, left.goodsTaxMinor) };
  const ofGoods = caps.goods + caps.goodsTax;
  const forGoods = ofPieces ? ofGoods : Math.min(claim.amountMinor, ofGoods);
  const beyondGoods = ofPieces ? 0 : claim.amountMinor - forGoods;
  return {
    ...caps,
    ofGoods: forGoods,
    shipping: Math.min(claim.shippingMinor + beyondGoods, left.shippingMinor + left.shippingTaxMinor),
  };
}

/** The most that can be approved of a claim, as far as the sale goes. */
export function mostOf(claim: ReturnClaim, left: RefundShares): number {
  const { ofGoods, shipping } = claimable(claim, left);
  return ofGoods + shipping;
}

/**
 * Where an approved amount comes from, at most `mostOf` the claim. Chosen: less than was claimed is goods and their tax
 * first, in proportion, and shipping only beyond these. No share exceeds what was claimed of its kind, nor what is left.
 */
export function sharesOf(claim: ReturnClaim, approvedMinor: number, left: RefundShares): RefundShares {
  const most = claimable(claim, left);
  const ofGoods = Math.min(approvedMinor, most.ofGoods);
  const [goodsMinor = 0, goodsTaxMinor = 0] = largestRemainder(ofGoods, [most.goods, most.goodsTax]);
  const [shippingMinor = 0, shippingTaxMinor = 0] = largestRemainder(approvedMinor - ofGoods, [
    left.shippingMinor,
    left.shippingTaxMinor,
  ]);
  return { goodsMinor, goodsTaxMinor, shippingMinor, shippingTaxMinor };
}
