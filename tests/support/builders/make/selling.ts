import { v7 } from 'uuid';
import { execute, firstRow, type Db } from '../../../../db/sql/query';
import { insert, nextNumber } from './insert';

interface CouponOptions {
  code?: string;
  /** Exactly one of these two; 10 % off by default. */
  percentageBp?: number;
  amountMinor?: number;
  minSubtotalMinor?: number | null;
  startsAt?: Date | null;
  endsAt?: Date | null;
  usageLimit?: number | null;
  perUserLimit?: number | null;
  productIds?: string[];
  categoryIds?: string[];
  isActive?: boolean;
}

interface ShippingMethodOptions {
  name?: string;
  carrier?: string;
  countries?: string[];
  baseMinor?: number;
  perKgMinor?: number;
  freeThresholdMinor?: number | null;
  minDays?: number;
  maxDays?: number;
  isActive?: boolean;
}

interface Line {
  productId: string;
  variantId?: string;
  quantity?: number;
  /** The price that the cart last showed; by default the current one. */
  shownPriceMinor?: number;
}

export async function coupon(db: Db, options: CouponOptions = {}): Promise<{ id: string; code: string }> {
  const made = { id: v7(), code: options.code ?? `SAVE${nextNumber()}` };
  const isFixed = options.amountMinor !== undefined;
  const at = new Date();
  await insert(db, 'coupons', {
    ...made,
    type: isFixed ? 'FIXED' : 'PERCENTAGE',
    percentage_bp: isFixed ? null : (options.percentageBp ?? 1_000),
    amount_minor: options.amountMinor ?? null,
    min_subtotal_minor: options.minSubtotalMinor ?? null,
    starts_at: options.startsAt ?? null,
    ends_at: options.endsAt ?? null,
    usage_limit: options.usageLimit ?? null,
    per_user_limit: options.perUserLimit ?? null,
    product_ids: options.productIds ?? [],
    category_ids: options.categoryIds ?? [],
    is_active: options.isActive ?? true,
    created_at: at,
    updated_at: at,
  });
  return made;
}

/** A shipping method, by default to Germany for 5 USD a parcel; answers its id. */
export async function shippingMethod(db: Db, options: ShippingMethodOptions = {}): Promise<string> {
  const id = v7();
  const at = new Date();
  await insert(db, 'shipping_methods', {
    id,
    name: options.name ?? `Parcel ${nextNumber()}`,
    carrier: options.carrier ?? 'DHL',
    min_days: options.minDays ?? 2,
    max_days: options.maxDays ?? 4,
    currency: 'USD',
    free_threshold_minor: options.freeThresholdMinor ?? null,
    is_active: options.isActive ?? true,
    created_at: at,
    updated_at: at,
  });
  const zones = await Promise.all((options.countries ?? ['DE']).map((country) => zoneOf(db, country)));
  for (const zone_id of new Set(zones)) {
    const rate = { base_minor: options.baseMinor ?? 500, per_kg_minor: options.perKgMinor ?? 0 };
    await insert(db, 'shipping_rates', { method_id: id, zone_id, ...rate });
  }
  return id;
}

/** Sets the rate (basis points) of a country. */
export async function taxRate(db: Db, country: string, rateBp: number): Promise<void> {
  await execute(
    db,
    'INSERT INTO tax_rates (country, rate_bp) VALUES ($1, $2) ON CONFLICT (country) DO UPDATE SET rate_bp = $2',
    [country, rateBp],
  );
}

/** A user's cart with these lines; answers its id. */
export async function cart(db: Db, userId: string, lines: readonly Line[]): Promise<string> {
  const id = v7();
  const at = new Date();
  await insert(db, 'carts', { id, user_id: userId, created_at: at, updated_at: at });
  for (const { productId, variantId, quantity = 1, shownPriceMinor } of lines) {
    await insert(db, 'cart_items', {
      id: v7(),
      cart_id: id,
      product_id: productId,
      variant_id: variantId,
      quantity,
      shown_price_minor: shownPriceMinor ?? (await priceOf(db, productId, variantId)),
      added_at: at,
    });
  }
  return id;
}

async function priceOf(
  db: Db,
  productId: string,
  variantId: string | undefined,
): Promise<number | undefined> {
  const price = await firstRow<{ priceMinor: number }>(
    db,
    `SELECT coalesce(v.price_minor, p.price_minor) AS price_minor FROM products p
       LEFT JOIN product_variants v ON v.id = $2 WHERE p.id = $1`,
    [productId, variantId ?? null],
  );
  return price?.priceMinor;
}

/** The zone of a country: it has only one, so methods to the same country share it. */
async function zoneOf(db: Db, country: string): Promise<string> {
  const known = await firstRow<{ zoneId: string }>(
    db,
    'SELECT zone_id FROM shipping_zone_countries WHERE country = $1',
    [country],
  );
  if (known) return known.zoneId;
  const zoneId = v7();
  await insert(db, 'shipping_zones', { id: zoneId, name: `Zone of ${country}` });
  await insert(db, 'shipping_zone_countries', { country, zone_id: zoneId });
  return zoneId;
}
