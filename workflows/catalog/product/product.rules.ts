/** ACTIVE and OUT_OF_STOCK are shown in the shop; DRAFT is not shown yet, ARCHIVED no longer. */
export const PRODUCT_STATUSES = ['ACTIVE', 'DRAFT', 'ARCHIVED', 'OUT_OF_STOCK'] as const;

export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
