import { addressOfUser, buyerOf, type Buyer } from '../../../db/commerce/checkout/buyer.reads';
import type { OrderAddress } from '../../../db/identity/address/order-address';
import {
  cartLines,
  pricedLine,
  type CartContents,
  type CartLine,
} from '../../../db/commerce/cart/cart.reads';
import {
  cartCoupons,
  couponsByCode,
  type Coupon,
  type CouponOnCart,
} from '../../../db/commerce/coupon/coupon.reads';
import { shippingOption, type ShippingOption } from '../../../db/commerce/shipping/shipping.reads';
import { taxRateBp } from '../../../db/commerce/tax/tax.reads';
import type { Policy } from '../../../db/policy/config';
import type { Tx } from '../../../db/sql/query';
import type { CheckoutInput, PlaceOrder } from '../../../workflows/commerce/checkout/checkout.contract';
import { whyCouponFails } from '../../../workflows/commerce/coupon/coupon.rules';
import { MAX_AMOUNT_MINOR, toMinor } from '../../../workflows/commerce/money.rules';
import {
  coversLine,
  priceOrder,
  type OrderPrice,
  type PricedLine,
} from '../../../workflows/commerce/order/pricing.rules';
import { isPostalCode } from '../../../workflows/commerce/shipping/postal-code.rules';
import { shippingPrice, weightOf } from '../../../workflows/commerce/shipping/shipping.rules';
import { refusal } from '../../../workflows/errors';
import { levelMissingToOrder } from '../../../workflows/kyc/kyc-gate.rules';
import { requireLevel } from '../../../workflows/kyc/require-level';
import { priceChanged, requireAvailable, requireSameCart, requireShownPrices } from './require-cart';

/** An order before it is written: checked and priced, with nothing reserved yet. */
export interface OrderDraft {
  cartId: string;
  buyer: Buyer;
  lines: CartLine[];
  price: OrderPrice;
  currency: string;
  coupons: Coupon[];
  shipping: ShippingOption;
  shippingAddress: OrderAddress;
  billingAddress: OrderAddress | null;
  /** The part of the total that the buyer's partner balance pays; the payment method pays the rest. */
  partnerBalanceMinor: number;
}

/** The command of a checkout, with its time (ISO 8601). */
export type OrderRequest = CheckoutInput & PlaceOrder & { at: string };

/**
 * Checks a request against the cart, which the caller has locked at this version, and prices it. Refused with the codes
 * of POST /cart/checkout, among them PRICE_CHANGED for a price that the cart did not show, or not to this request.
 */
export async function draftOrder(
  tx: Tx,
  request: OrderRequest,
  { policy, cartVersion }: { policy: Policy; cartVersion: string | null },
): Promise<OrderDraft> {
  const cart = await cartLines(tx, request.userId, policy.cartDays);
  const [first] = cart?.lines ?? [];
  if (!cart || !first) throw refusal('CART_EMPTY');
  const { cartId, lines } = cart;
  requireSameCart(request, { lines, cartVersion });
  requireAvailable(lines);
  requireShownPrices(lines);
  const shippingAddress = await requireAddress(
    tx,
    request.userId,
    request.shippingAddressId,
    'shippingAddressId',
  );
  const billingAddress =
    request.billingAddressId === null
      ? null
      : await requireAddress(tx, request.userId, request.billingAddressId, 'billingAddressId');
  const shipping = await shippingOption(tx, request.shippingMethodId, shippingAddress.country);
  if (!shipping)
    throw refusal('INVALID_SHIPPING_METHOD', 'This shipping method is not available for this address.', {
      shippingMethodId: ['is not available for this address'],
    });

  const pricedLines = lines.map(pricedLine);
  const coupons = await couponsFor(tx, cart, request, pricedLines);
  const taxBp = await taxRateBp(tx, shippingAddress.country);
  const goods = priceOrder({ lines: pricedLines, coupons, taxRateBp: 0, shippingMinor: 0 });
  const parcel = {
    weightGrams: weightOf(
      lines.map(({ product, quantity }) => ({ weightGrams: product.weightGrams, quantity })),
    ),
    goodsMinor: goods.totalMinor,
  };
  const shippingMinor = shippingPrice(shipping, parcel);
  const price = priceOrder({ lines: pricedLines, coupons, taxRateBp: taxBp, shippingMinor });
  if (price.subtotalMinor + price.taxMinor + shippingMinor > MAX_AMOUNT_MINOR)
    throw refusal('VALIDATION_ERROR', 'The cart is worth more than an order can be.');
  const currency = first.product.currency;
  const buyer = await buyerOf(tx, request.userId, { currency, spendsBalance: request.usePartnerBalance });
  const due = { totalMinor: price.totalMinor, currency };
  const partnerBalanceMinor = partnerShare(buyer, request, due, policy);
  return {
    cartId,
    buyer,
    lines,
    price,
    currency,
    coupons,
    shipping,
    shippingAddress,
    billingAddress,
    partnerBalanceMinor,
  };
}

/** An own address; its postal code is checked again, since the forms of countries may have been added since it was saved. */
async function requireAddress(tx: Tx, userId: string, id: string, field: string): Promise<OrderAddress> {
  const address = await addressOfUser(tx, userId, id);
  if (!address)
    throw refusal('INVALID_ADDRESS', 'No such address.', { [field]: ['is not one of your addresses'] });
  if (!isPostalCode(address.country, address.postalCode))
    throw refusal('INVALID_ADDRESS', 'This address has no postal code of its country.', {
      [field]: ['has a postal code that is none of its country: change the address'],
    });
  return address;
}

/**
 * The cart's coupons that apply now, then those of the request. Refused: INVALID_COUPON, where one of the request, or
 * one that was shown with a discount, does not apply.
 */
async function couponsFor(
  tx: Tx,
  { cartId, hasCoupons, lines: cartLines }: CartContents,
  request: OrderRequest,
  lines: PricedLine[],
): Promise<Coupon[]> {
  const at = new Date(request.at);
  const onCart = hasCoupons ? await cartCoupons(tx, cartId, request.userId) : [];
  const applied = onCart.filter((coupon) => whyCouponFails(coupon, lines, at) === null);
  const named = await couponsByCode(tx, request.couponCodes, request.userId);
  const known = new Set(named.map((coupon) => coupon.code));
  const unknown = request.couponCodes.filter((code) => !known.has(code.toUpperCase()));
  const shown = onCart.filter(({ shownDiscountMinor }) => shownDiscountMinor !== null);
  const reasons = [
    ...unknown.map((code) => `${code} is not a coupon`),
    ...[...shown, ...named].flatMap((coupon) => {
      const why = whyCouponFails(coupon, lines, at);
      return why === null ? [] : [`${coupon.code} ${why}`];
    }),
  ];
  if (reasons.length > 0)
    throw refusal('INVALID_COUPON', 'Some coupons cannot be used.', { couponCodes: [...new Set(reasons)] });
  requireShownDiscounts(cartLines, lines, applied);
  return [...applied, ...named.filter((coupon) => !applied.some((other) => other.id === coupon.id))];
}

/** Refuses discounts other than the cart last showed: PRICE_CHANGED, by the goods that the coupons cover. */
function requireShownDiscounts(cart: CartLine[], lines: PricedLine[], applied: CouponOnCart[]): void {
  const { coupons } = priceOrder({ lines, coupons: applied, taxRateBp: 0, shippingMinor: null });
  const changed = applied.filter(
    ({ shownDiscountMinor }, i) =>
      shownDiscountMinor !== null && shownDiscountMinor !== coupons[i]?.discountMinor,
  );
  if (changed.length === 0) return;
  const covered = cart.filter((_, i) => {
    const line = lines[i];
    return line !== undefined && changed.some((coupon) => coversLine(coupon, line));
  });
  throw priceChanged(covered);
}

/** The part of an order that the partner balance pays. Refused: KYC_REQUIRED. */
function partnerShare(
  buyer: Buyer,
  request: OrderRequest,
  { totalMinor, currency }: { totalMinor: number; currency: string },
  policy: Policy,
): number {
  const share = request.usePartnerBalance
    ? Math.max(0, Math.min(buyer.partnerAvailableMinor, totalMinor))
    : 0;
  const largestMinor = toMinor(policy.orderWithoutKyc, currency);
  const order = { level: buyer.kycLevel, totalMinor, partnerBalanceMinor: share };
  requireLevel(levelMissingToOrder(order, largestMinor));
  return share;
}
