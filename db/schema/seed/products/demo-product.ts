/** A product of the demo shop. */
export interface DemoProduct {
  name: string;
  short: string;
  description: string;
  /** In cents (USD). */
  priceMinor: number;
  /** What it cost before. */
  compareAtPriceMinor?: number;
  status?: 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'OUT_OF_STOCK';
  /** Null when there is always another one. */
  stock: number | null;
  /** For what comes in kinds; each has a stock of its own. */
  variants?: readonly DemoVariant[];
  weightGrams: number | null;
  /** Length, width and height in millimetres. */
  size: readonly [number, number, number] | null;
  tags: readonly string[];
  attributes: Readonly<Record<string, string>>;
  /** How many pictures beside the first. */
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
