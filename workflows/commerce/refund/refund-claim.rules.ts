import { halfUp, largestRemainder, sumMinor } from '../order/pricing.rules';

/** One line of an order as it was sold, with the units that were given back, or requested, before. */
export interface ReturnableLine {
  itemId: string;
  quantity: number;
  returned: number;
  /** After discount, before tax; of the whole line. */
  goodsMinor: number;
  taxMinor: number;
  /** The worth of the units that were given back or requested, as they were claimed. */
  returnedGoodsMinor: number;
  returnedTaxMinor: number;
}

/** Money of a sale: for goods, for shipping, and the tax of each. */
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
  /** The amounts that were given back, or promised, before. */
  back: RefundShares;
}

/** The amounts of a sale that can still be taken back. */
export function saleLeft({ lines, shippingMinor, taxMinor, back }: ReturnableOrder): RefundShares {
  const goodsTaxMinor = sumMinor(lines.map((line) => line.taxMinor));
  return {
    goodsMinor: sumMinor(lines.map(({ goodsMinor }) => goodsMinor)) - back.goodsMinor,
    goodsTaxMinor: goodsTaxMinor - back.goodsTaxMinor,
    shippingMinor: shippingMinor - back.shippingMinor,
    shippingTaxMinor: taxMinor - goodsTaxMinor - back.shippingTaxMinor,
  };
}

/** Units of a line, with the money that they are worth. */
export interface ReturnedPart {
  itemId: string;
  quantity: number;
  goodsMinor: number;
  taxMinor: number;
}

export interface ReturnClaim {
  parts: ReturnedPart[];
  /** An amount without units: of the goods, and of the shipping beyond these. */
  amountMinor: number;
  /** With its tax. */
  shippingMinor: number;
  claimedMinor: number;
}

/**
 * The worth of units of an order: their part of the money that is left of their line, so that in whatever steps they are
 * given back, also after one that was turned down, they add up to the line; after a refund of an amount without units, they
 * are worth no more than is left of the sale. Shipping comes back with the last unit.
 * `wanted`: the number of units by line, never more than are left.
 */
export function claimFor(order: ReturnableOrder, wanted: ReadonlyMap<string, number>): ReturnClaim {
  const parts = atMost(saleLeft(order), partsFor(order, wanted));
  const nothingStays = order.lines.every(
    ({ itemId, quantity, returned }) => returned + (wanted.get(itemId) ?? 0) === quantity,
  );
  return claimOf({
    parts,
    amountMinor: 0,
    shippingMinor: nothingStays && parts.length > 0 ? shippingLeft(order) : 0,
  });
}

/** The claim of an administrator: units of an order or an amount without units, and the shipping only if they say so. */
export function claimByAdministrator(
  order: ReturnableOrder,
  { wanted, amountMinor, includeShipping }: AdministratorClaim,
): ReturnClaim {
  return claimOf({
    parts: partsFor(order, wanted),
    amountMinor,
    shippingMinor: includeShipping ? shippingLeft(order) : 0,
  });
}

interface AdministratorClaim {
  wanted: ReadonlyMap<string, number>;
  amountMinor: number;
  includeShipping: boolean;
}

const claimOf = (claim: Omit<ReturnClaim, 'claimedMinor'>): ReturnClaim => ({
  ...claim,
  claimedMinor: unitsMinor(claim) + claim.amountMinor + claim.shippingMinor,
});

const unitsMinor = ({ parts }: Pick<ReturnClaim, 'parts'>): number =>
  sumMinor(parts.flatMap((part) => [part.goodsMinor, part.taxMinor]));

/** Units that are worth no more than these amounts together: their worth is reduced in proportion. */
function atMost({ goodsMinor, goodsTaxMinor }: RefundShares, parts: readonly ReturnedPart[]): ReturnedPart[] {
  const goods = reduced(
    parts.map((part) => part.goodsMinor),
    goodsMinor,
  );
  const taxes = reduced(
    parts.map((part) => part.taxMinor),
    goodsTaxMinor,
  );
  return parts.map((part, i) => ({ ...part, goodsMinor: goods[i] ?? 0, taxMinor: taxes[i] ?? 0 }));
}

const reduced = (amounts: readonly number[], mostMinor: number): readonly number[] =>
  sumMinor(amounts) <= mostMinor ? amounts : largestRemainder(mostMinor, amounts);

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
    const { itemId, goodsMinor, taxMinor, returnedGoodsMinor, returnedTaxMinor } = line;
    return [
      {
        itemId,
        quantity,
        goodsMinor: worth(line, goodsMinor - returnedGoodsMinor, quantity),
        taxMinor: worth(line, taxMinor - returnedTaxMinor, quantity),
      },
    ];
  });
}

/** All that has not been given back yet, by line. */
export const allThatIsLeft = ({ lines }: Pick<ReturnableOrder, 'lines'>): Map<string, number> =>
  new Map(lines.map(({ itemId, quantity, returned }) => [itemId, quantity - returned]));

const worth = ({ quantity, returned }: ReturnableLine, leftMinor: number, units: number): number =>
  halfUp(BigInt(leftMinor) * BigInt(units), BigInt(quantity - returned));

/** The part of a claim that can be taken back: of each kind, no more than is left of it. */
function claimable(
  claim: ReturnClaim,
  left: RefundShares,
): Record<'goods' | 'goodsTax' | 'ofGoods' | 'shipping', number> {
  const ofUnits = claim.amountMinor === 0;
  const goods = ofUnits ? sumMinor(claim.parts.map((part) => part.goodsMinor)) : left.goodsMinor;
  const goodsTax = ofUnits ? sumMinor(claim.parts.map((part) => part.taxMinor)) : left.goodsTaxMinor;
  const caps = { goods: Math.min(goods, left.goodsMinor), goodsTax: Math.min(goodsTax, left.goodsTaxMinor) };
  const ofGoods = caps.goods + caps.goodsTax;
  const forGoods = ofUnits ? ofGoods : Math.min(claim.amountMinor, ofGoods);
  const beyondGoods = ofUnits ? 0 : claim.amountMinor - forGoods;
  return {
    ...caps,
    ofGoods: forGoods,
    shipping: Math.min(claim.shippingMinor + beyondGoods, left.shippingMinor + left.shippingTaxMinor),
  };
}

/** The most that can be approved of a claim, by what is left of the sale. */
export function mostOf(claim: ReturnClaim, left: RefundShares): number {
  const { ofGoods, shipping } = claimable(claim, left);
  return ofGoods + shipping;
}

/**
 * Splits an approved amount, at most `mostOf` the claim, into its shares. Chosen: less than was claimed is goods and their tax
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
