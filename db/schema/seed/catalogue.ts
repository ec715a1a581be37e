import type { Tx } from '../../sql/query';
import { placeholderImage } from './placeholder-image';
import { audio } from './products/audio';
import type { DemoCategory, DemoProduct, DemoVariant } from './products/demo-product';
import { kitchen } from './products/kitchen';
import { office } from './products/office';
import { outdoor } from './products/outdoor';
import { addRows, isEmpty, seedId } from './rows';
import type { SeedStep, SeedOptions } from './step';

const TREE: readonly DemoCategory[] = [audio, kitchen, outdoor, office];

/** The interval of the products' creation times, so that sorting by age has an effect. */
const BETWEEN_PRODUCTS_MS = 36 * 3_600_000;
const COMMISSION_BP = 1_000;
const CAREER_POINTS_BP = 10_000;

interface PlacedCategory {
  category: DemoCategory;
  parent: DemoCategory | null;
  position: number;
}

interface PlacedProduct {
  product: DemoProduct;
  category: DemoCategory;
  /** The index in the whole shop, from 0. */
  number: number;
}

/** The demo shop: eight categories, forty products, and their stock. */
export const demoCatalogue: SeedStep = {
  title: 'demo catalogue',
  isMissing: async (tx) => (await isEmpty(tx, 'products')) && (await isEmpty(tx, 'categories')),
  async add(tx, options) {
    const categories = place(TREE, null);
    const products = categories
      .flatMap(({ category }) => category.products.map((product) => ({ product, category })))
      .map((placed, number) => ({ ...placed, number }));
    await addRows(tx, 'categories', categories.map(categoryRow(options)));
    await addRows(tx, 'products', products.map(productRow(options, products.length)));
    await addRows(tx, 'product_images', products.flatMap(imageRows));
    await addRows(tx, 'product_variants', products.flatMap(variantRows(options)));
    await addStock(tx, products, options);
  },
};

function place(categories: readonly DemoCategory[], parent: DemoCategory | null): PlacedCategory[] {
  return categories.flatMap((category, position) => [
    { category, parent, position },
    ...place(category.children ?? [], category),
  ]);
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/'/g, '')
    .replace(/[^a-z0-9]+/g, '-');
const categoryId = ({ name }: DemoCategory): string => seedId(`category:${name}`);
const productId = ({ name }: DemoProduct): string => seedId(`product:${name}`);
const variantId = (product: DemoProduct, variant: DemoVariant): string =>
  seedId(`variant:${product.name}:${variant.name}`);
const skuOf = (number: number): string => `DEMO-${String(number + 1).padStart(3, '0')}`;
/** The hue of a tile; consecutive products get distant hues. */
const hueOf = (number: number): number => (number * 137) % 360;

const categoryRow =
  ({ at }: SeedOptions) =>
  ({ category, parent, position }: PlacedCategory, index: number) => ({
    id: categoryId(category),
    parent_id: parent && categoryId(parent),
    name: category.name,
    slug: slugOf(category.name),
    description: category.description,
    image_url: placeholderImage(category.name, hueOf(index), 480),
    position,
    is_active: true,
    created_at: at,
    updated_at: at,
  });

const productRow =
  ({ at }: SeedOptions, count: number) =>
  ({ product, category, number }: PlacedProduct) => {
    const createdAt = new Date(at.getTime() - (count - number) * BETWEEN_PRODUCTS_MS);
    return {
      id: productId(product),
      category_id: categoryId(category),
      name: product.name,
      slug: slugOf(product.name),
      sku: skuOf(number),
      description: product.description,
      short_description: product.short,
      price_minor: product.priceMinor,
      compare_at_price_minor: product.compareAtPriceMinor ?? null,
      currency: 'USD',
      status: product.status ?? 'ACTIVE',
      track_inventory: product.stock !== null || product.variants !== undefined,
      max_per_line: 100,
      weight_grams: product.weightGrams,
      length_mm: product.size?.[0] ?? null,
      width_mm: product.size?.[1] ?? null,
      height_mm: product.size?.[2] ?? null,
      tags: product.tags,
      attributes: product.attributes,
      commission_bp: COMMISSION_BP,
      career_points_bp: CAREER_POINTS_BP,
      ratings: [0, 0, 0, 0, 0],
      units_sold_90d: 0,
      created_at: createdAt,
      updated_at: createdAt,
    };
  };

function imageRows({ product, number }: PlacedProduct) {
  return Array.from({ length: 1 + (product.morePictures ?? 0) }, (_, position) => ({
    id: seedId(`image:${product.name}:${position}`),
    product_id: productId(product),
    url: placeholderImage(product.name, hueOf(number) + position * 20, 640),
    thumbnail_url: placeholderImage(product.name, hueOf(number) + position * 20, 160),
    alt: position === 0 ? product.name : null,
    is_primary: position === 0,
    position,
  }));
}

const variantRows =
  ({ at }: SeedOptions) =>
  ({ product, number }: PlacedProduct) =>
    (product.variants ?? []).map((variant, position) => ({
      id: variantId(product, variant),
      product_id: productId(product),
      name: variant.name,
      sku: `${skuOf(number)}-${position + 1}`,
      price_minor: variant.priceMinor ?? product.priceMinor,
      attributes: variant.attributes,
      position,
      created_at: at,
    }));

/** Stock of a product with variants that is sold without choosing one. */
const STOCK_WITHOUT_VARIANT = 20;

/** Adds stock with an initial movement each, since stock is the sum of its movements. */
async function addStock(tx: Tx, products: readonly PlacedProduct[], { at }: SeedOptions): Promise<void> {
  const items = products.flatMap(({ product }) => {
    const item = (name: string, variant: string | null, available: number) => ({
      id: seedId(`stock:${name}`),
      product_id: productId(product),
      variant_id: variant,
      available,
      reserved: 0,
      updated_at: at,
    });
    const { variants = [], stock } = product;
    const ownStock = stock ?? (variants.length > 0 ? STOCK_WITHOUT_VARIANT : null);
    return [
      ...(ownStock === null ? [] : [item(product.name, null, ownStock)]),
      ...variants.map((variant) =>
        item(`${product.name}:${variant.name}`, variantId(product, variant), variant.stock),
      ),
    ];
  });
  await addRows(tx, 'stock_items', items);
  const movements = items.map(({ id, available }) => ({
    id: seedId(`movement:${id}`),
    stock_item_id: id,
    kind: 'INITIAL',
    available_delta: available,
    reserved_delta: 0,
    created_at: at,
  }));
  await addRows(tx, 'stock_movements', movements);
}
