/** A product of the demo shop. */
export interface DemoProduct {
  name: string;
  short: string;
  description: string;
  /** In cents (USD). */
  priceMinor: number;
  /** The earlier price, in cents (USD). */
  compareAtPriceMinor?: number;
  status?: 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'OUT_OF_STOCK';
  /** Null when stock is not tracked. */
  stock: number | null;
  /** Variants, each with a stock of its own. */
  variants?: readonly DemoVariant[];
  weightGrams: number | null;
  /** Length, width and height in millimetres. */
  size: readonly [number, number, number] | null;
  tags: readonly string[];
  attributes: Readonly<Record<string, string>>;
  /** The number of pictures in addition to the first. */
  morePictures?: number;
}

export interface DemoVariant {
  name: string;
  attributes: Readonly<Record<string, string>>;
  stock: number;
  priceMinor?: number;
}

/** A category of the demo shop, with one level below. */
export interface DemoCategory {
  name: string;
  description: string;
  products: readonly DemoProduct[];
  children?: readonly DemoCategory[];
}
