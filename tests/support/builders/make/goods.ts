import { v7 } from 'uuid';
import type { Db } from '../../../../db/sql/query';
import { insert, nextNumber } from './insert';

export interface Category {
  id: string;
  name: string;
  slug: string;
}

export interface Product {
  id: string;
  name: string;
  slug: string;
  sku: string;
  priceMinor: number;
  /** Null if the stock of this product is not counted. */
  stockItemId: string | null;
}

export interface Variant {
  id: string;
  sku: string;
  priceMinor: number;
  stockItemId: string;
}

interface CategoryOptions extends Partial<Omit<Category, 'id'>> {
  parentId?: string | null;
  position?: number;
  isActive?: boolean;
}

interface ProductOptions extends Partial<Omit<Product, 'id' | 'stockItemId'>> {
  description?: string;
  categoryId?: string | null;
  status?: 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'OUT_OF_STOCK';
  /** Units in stock; null for a product whose stock is not counted. */
  stock?: number | null;
  compareAtPriceMinor?: number | null;
  maxPerLine?: number;
  weightGrams?: number | null;
  tags?: string[];
  attributes?: Record<string, string>;
  commissionBp?: number;
  careerPointsBp?: number;
  unitsSold90d?: number;
  createdAt?: Date;
}

export async function category(db: Db, options: CategoryOptions = {}): Promise<Category> {
  const n = nextNumber();
  const made = { id: v7(), name: options.name ?? `Category ${n}`, slug: options.slug ?? `category-${n}` };
  const at = new Date();
  await insert(db, 'categories', {
    ...made,
    parent_id: options.parentId ?? null,
    position: options.position ?? 0,
    is_active: options.isActive ?? true,
    created_at: at,
    updated_at: at,
  });
  return made;
}

/** A product on sale; by default 25 USD, 1 kg, 100 in stock. */
export async function product(db: Db, options: ProductOptions = {}): Promise<Product> {
  const n = nextNumber();
  const { stock = 100, createdAt = new Date() } = options;
  const made = {
    id: v7(),
    name: options.name ?? `Product ${n}`,
    slug: options.slug ?? `product-${n}`,
    sku: options.sku ?? `SKU-${n}`,
    priceMinor: options.priceMinor ?? 2_500,
  };
  await insert(db, 'products', {
    id: made.id,
    category_id: options.categoryId ?? null,
    name: made.name,
    slug: made.slug,
    sku: made.sku,
    description: options.description ?? `What ${made.name} is for.`,
    price_minor: made.priceMinor,
    compare_at_price_minor: options.compareAtPriceMinor ?? null,
    status: options.status ?? 'ACTIVE',
    track_inventory: stock !== null,
    max_per_line: options.maxPerLine,
    weight_grams: options.weightGrams === undefined ? 1_000 : options.weightGrams,
    tags: options.tags ?? [],
    attributes: JSON.stringify(options.attributes ?? {}),
    commission_bp: options.commissionBp ?? 1_000,
    career_points_bp: options.careerPointsBp ?? 10_000,
    units_sold_90d: options.unitsSold90d,
    created_at: createdAt,
    updated_at: createdAt,
  });
  return { ...made, stockItemId: stock === null ? null : await stockItem(db, made.id, null, stock) };
}

/** A variant of a product (a size, a colour) with a price and a stock of its own. */
export async function variant(
  db: Db,
  productId: string,
  options: {
    name?: string;
    sku?: string;
    priceMinor?: number;
    stock?: number;
    attributes?: Record<string, string>;
  } = {},
): Promise<Variant> {
  const n = nextNumber();
  const made = { id: v7(), sku: options.sku ?? `SKU-${n}`, priceMinor: options.priceMinor ?? 2_500 };
  await insert(db, 'product_variants', {
    id: made.id,
    product_id: productId,
    name: options.name ?? `Variant ${n}`,
    sku: made.sku,
    price_minor: made.priceMinor,
    attributes: JSON.stringify(options.attributes ?? { size: 'M' }),
    created_at: new Date(),
  });
  return { ...made, stockItemId: await stockItem(db, productId, made.id, options.stock ?? 100) };
}

/** An image of a product; answers its id. */
export async function image(
  db: Db,
  productId: string,
  { isPrimary = true, position = 0, alt = null as string | null } = {},
): Promise<string> {
  const id = v7();
  const url = `https://images.example.com/${id}`;
  await insert(db, 'product_images', {
    id,
    product_id: productId,
    url: `${url}.jpg`,
    thumbnail_url: `${url}-small.jpg`,
    alt,
    is_primary: isPrimary,
    position,
  });
  return id;
}

/** Stock with the movement that explains it. */
async function stockItem(
  db: Db,
  productId: string,
  variantId: string | null,
  available: number,
): Promise<string> {
  const id = v7();
  const at = new Date();
  await insert(db, 'stock_items', {
    id,
    product_id: productId,
    variant_id: variantId,
    available,
    reserved: 0,
    updated_at: at,
  });
  await insert(db, 'stock_movements', {
    id: v7(),
    stock_item_id: id,
    kind: 'INITIAL',
    available_delta: available,
    reserved_delta: 0,
    created_at: at,
  });
  return id;
}
