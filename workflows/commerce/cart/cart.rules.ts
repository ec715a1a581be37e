import { DAY_MS } from '../../kit/values/durations.rules';

/** The time before which a last change makes a cart count as empty, at `at`. */
export function cartsKeptSince(at: Date, keptDays: number): Date {
  return new Date(at.getTime() - keptDays * DAY_MS);
}

/** The statuses of a product as buyers see it: an ACTIVE product whose tracked stock is used up is OUT_OF_STOCK. */
export const PRODUCT_STATUSES = ['ACTIVE', 'DRAFT', 'ARCHIVED', 'OUT_OF_STOCK'] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

export interface RequestedLine {
  /** As set by an administrator, whatever the stock. */
  status: ProductStatus;
  /** Unreserved stock; null when stock is not tracked. */
  available: number | null;
  maxPerLine: number;
  /** The units of the line after the change. */
  quantity: number;
}

/** The first reason against goods in a cart; null when there is none. */
export function whyNotInCart(
  line: RequestedLine,
): 'PRODUCT_NOT_FOUND' | 'PRODUCT_UNAVAILABLE' | ReturnType<typeof whyNotThatMany> {
  if (line.status === 'DRAFT') return 'PRODUCT_NOT_FOUND';
  if (line.status !== 'ACTIVE') return 'PRODUCT_UNAVAILABLE';
  return whyNotThatMany(line);
}

/** The reason against a quantity, stock before the line's own limit; null when there is none. */
export function whyNotThatMany(
  line: Omit<RequestedLine, 'status'>,
): 'INSUFFICIENT_STOCK' | 'MAX_QUANTITY_EXCEEDED' | null {
  if (line.available !== null && line.quantity > line.available) return 'INSUFFICIENT_STOCK';
  if (line.quantity > line.maxPerLine) return 'MAX_QUANTITY_EXCEEDED';
  return null;
}
