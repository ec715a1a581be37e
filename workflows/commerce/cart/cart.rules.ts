/** The least recent change, before `at`, that still keeps a cart; one that nobody changed for longer counts as empty. */
export function cartsKeptSince(at: Date, keptDays: number): Date {
  return new Date(at.getTime() - keptDays * 86_400_000);
}

/** Statuses of a product as people see it: tracked goods that have run out are OUT_OF_STOCK though ACTIVE. */
export type ProductStatus = 'ACTIVE' | 'DRAFT' | 'ARCHIVED' | 'OUT_OF_STOCK';

export interface WantedLine {
  /** As set by an administrator, whatever the stock is. */
  status: ProductStatus;
  /** What can still be promised; null when stock is not tracked. */
  available: number | null;
  maxPerLine: number;
  /** What the line would hold. */
  quantity: number;
}

/** Why goods cannot be put into a cart; the first that holds, null when they can. */
export function whyNotInCart(
  wanted: WantedLine,
): 'PRODUCT_NOT_FOUND' | 'PRODUCT_UNAVAILABLE' | ReturnType<typeof whyNotThatMany> {
  if (wanted.status === 'DRAFT') return 'PRODUCT_NOT_FOUND';
  if (wanted.status !== 'ACTIVE') return 'PRODUCT_UNAVAILABLE';
  return whyNotThatMany(wanted);
}

/** Why a line cannot hold that many; stock is reported before the line's own limit. */
export function whyNotThatMany(
  wanted: Omit<WantedLine, 'status'>,
): 'INSUFFICIENT_STOCK' | 'MAX_QUANTITY_EXCEEDED' | null {
  if (wanted.available !== null && wanted.quantity > wanted.available) return 'INSUFFICIENT_STOCK';
  if (wanted.quantity > wanted.maxPerLine) return 'MAX_QUANTITY_EXCEEDED';
  return null;
}
