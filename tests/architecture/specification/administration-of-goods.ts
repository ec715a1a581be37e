import { perMinute, row } from './row';

const admin = perMinute(200);
const order = { ORDER_NOT_FOUND: 404 };
const product = { PRODUCT_NOT_FOUND: 404 };
const category = { CATEGORY_NOT_FOUND: 404 };
const coupon = { COUPON_NOT_FOUND: 404 };
const shippingMethod = { SHIPPING_METHOD_NOT_FOUND: 404 };
const strategy = { STRATEGY_NOT_FOUND: 404 };
const bankFile = { BANK_FILE_NOT_FOUND: 404 };
const provider = { PROVIDER_NOT_FOUND: 404 };

/** Goods, orders, strategies and providers: document 3 §4.6–4.8; decisions §5, §7, §11. */
export const administrationOfGoods = [
  row('GET /admin/orders', 'admin', admin, 200),
  // Decisions §12, "Reading for administrators"; the limit is our own: an export reads every order.
  row('GET /admin/orders/export', 'admin', perMinute(5), 200),
  row('GET /admin/orders/:id', 'admin', admin, 200, order),
  row('PATCH /admin/orders/:id', 'admin', admin, 200, order),
  row('POST /admin/orders/:id/payment', 'admin', admin, 200, { ...order, AMOUNT_MISMATCH: 400 }),
  row('POST /admin/orders/:id/tracking-events', 'admin', admin, 201, order),

  row('POST /admin/orders/:id/refunds', 'admin', admin, 201, {
    ORDER_NOT_FOUND: 404,
    CANNOT_REFUND: 400,
    REFUND_ALREADY_REQUESTED: 409,
  }),
  row('GET /admin/participations', 'admin', admin, 200),
  row('GET /admin/participations/:id', 'admin', admin, 200, { PARTICIPATION_NOT_FOUND: 404 }),
  // One that keeps capacity and is not paid; no document has it.
  row('POST /admin/participations/:id/cancel', 'admin', admin, 200, {
    PARTICIPATION_NOT_FOUND: 404,
    CANNOT_CANCEL: 400,
  }),
  // Our own: the leadership pools, so that anyone can check them; no document has them.
  row('GET /admin/pools', 'admin', admin, 200),
  row('GET /admin/pools/:id', 'admin', admin, 200, { POOL_NOT_FOUND: 404 }),
  row('GET /admin/pools/:id/export', 'admin', perMinute(5), 200, { POOL_NOT_FOUND: 404 }),
  row('POST /admin/pools/preview', 'admin', perMinute(10), 200),
  row('GET /admin/payment-refunds', 'admin', admin, 200),
  row('GET /admin/payment-refunds/:id', 'admin', admin, 200, { REFUND_NOT_FOUND: 404, FORBIDDEN: 403 }),
  row('POST /admin/payment-refunds/:id/settle', 'admin', admin, 200, {
    REFUND_NOT_FOUND: 404,
    ALREADY_SETTLED: 409,
    CANNOT_SETTLE: 400,
  }),
  row('GET /admin/withdrawals', 'admin', admin, 200),
  row('GET /admin/withdrawals/:id', 'admin', admin, 200, { WITHDRAWAL_NOT_FOUND: 404, FORBIDDEN: 403 }),
  row('POST /admin/withdrawals/:id/settle', 'admin', admin, 200, {
    WITHDRAWAL_NOT_FOUND: 404,
    ALREADY_SETTLED: 409,
    CANNOT_SETTLE: 400,
  }),
  // Our own: files of transfers for our bank; no document has them. The limit of a file is that of processing payouts.
  row('GET /admin/bank-files', 'admin', admin, 200),
  row('POST /admin/bank-files', 'admin', perMinute(5), 201, { PROVIDER_NOT_CONFIGURED: 503 }),
  row('GET /admin/bank-files/:id', 'admin', admin, 200, bankFile),
  row('GET /admin/bank-files/:id/file', 'admin', admin, 200, {
    ...{ ...bankFile, ALREADY_SETTLED: 409, PROVIDER_NOT_CONFIGURED: 503 },
  }),
  row('POST /admin/bank-files/:id/status-report', 'admin', perMinute(30), 200, {
    ...bankFile,
    FORBIDDEN: 403,
    INVALID_FILE_TYPE: 400,
    FILE_TOO_LARGE: 413,
  }),
  row('POST /admin/bank-files/:id/withdraw', 'admin', perMinute(5), 200, {
    ...bankFile,
    FORBIDDEN: 403,
    ALREADY_SETTLED: 409,
  }),
  row('GET /admin/bank-files/collected', 'admin', admin, 200),
  row('POST /admin/bank-files/collected/:id/refuse', 'admin', admin, 200, {
    TRANSFER_NOT_FOUND: 404,
    FORBIDDEN: 403,
  }),
  row('GET /admin/refunds', 'admin', admin, 200),
  row('GET /admin/refunds/:id', 'admin', admin, 200, { REFUND_NOT_FOUND: 404 }),
  row('POST /admin/refunds/:id/approve', 'admin', admin, 200, { REFUND_NOT_FOUND: 404, NOT_PENDING: 400 }),
  row('POST /admin/refunds/:id/reject', 'admin', admin, 200, { REFUND_NOT_FOUND: 404, NOT_PENDING: 400 }),

  row('GET /admin/reviews', 'admin', admin, 200),
  row('POST /admin/reviews/:id/publish', 'admin', admin, 200, { REVIEW_NOT_FOUND: 404 }),
  row('POST /admin/reviews/:id/reject', 'admin', admin, 200, { REVIEW_NOT_FOUND: 404 }),
  row('POST /admin/reviews/:id/respond', 'admin', admin, 200, { REVIEW_NOT_FOUND: 404 }),

  row('GET /admin/products', 'admin', admin, 200),
  row('POST /admin/products', 'admin', admin, 201, { SKU_ALREADY_EXISTS: 409 }),
  // Decisions §12, reading for administrators; no document has it.
  row('GET /admin/products/:id', 'admin', admin, 200, product),
  row('PATCH /admin/products/:id', 'admin', admin, 200, { ...product, SKU_ALREADY_EXISTS: 409 }),
  row('DELETE /admin/products/:id', 'admin', admin, 200, { ...product, HAS_PENDING_ORDERS: 400 }),
  row('POST /admin/products/:id/images', 'admin', admin, 201, {
    ...product,
    INVALID_FILE_TYPE: 400,
    FILE_TOO_LARGE: 413,
  }),
  row('PATCH /admin/products/:id/images/:imageId', 'admin', admin, 200, { ...product, IMAGE_NOT_FOUND: 404 }),
  row('DELETE /admin/products/:id/images/:imageId', 'admin', admin, 200, {
    ...product,
    IMAGE_NOT_FOUND: 404,
  }),
  row('POST /admin/products/:id/variants', 'admin', admin, 201, { ...product, SKU_ALREADY_EXISTS: 409 }),
  row('PATCH /admin/products/:id/variants/:variantId', 'admin', admin, 200, {
    ...product,
    VARIANT_NOT_FOUND: 404,
    SKU_ALREADY_EXISTS: 409,
  }),
  row('DELETE /admin/products/:id/variants/:variantId', 'admin', admin, 200, {
    ...product,
    VARIANT_NOT_FOUND: 404,
    HAS_PENDING_ORDERS: 400,
  }),

  // Issue 6 asks for these three; no document does.
  row('GET /admin/products/export', 'admin', admin, 200),
  row('POST /admin/products/import', 'admin', admin, 200, { INVALID_FILE_TYPE: 400, FILE_TOO_LARGE: 413 }),
  row('GET /admin/products/:id/stock-movements', 'admin', admin, 200, product),

  row('GET /admin/categories', 'admin', admin, 200),
  row('POST /admin/categories', 'admin', admin, 201, { ...category, SLUG_ALREADY_EXISTS: 409 }),
  row('PATCH /admin/categories/:id', 'admin', admin, 200, { ...category, SLUG_ALREADY_EXISTS: 409 }),
  row('DELETE /admin/categories/:id', 'admin', admin, 200, category),
  row('GET /admin/coupons', 'admin', admin, 200),
  row('POST /admin/coupons', 'admin', admin, 201, { CODE_ALREADY_EXISTS: 409 }),
  row('PATCH /admin/coupons/:id', 'admin', admin, 200, { ...coupon, CODE_ALREADY_EXISTS: 409 }),
  row('DELETE /admin/coupons/:id', 'admin', admin, 200, coupon),
  row('GET /admin/shipping-methods', 'admin', admin, 200),
  row('POST /admin/shipping-methods', 'admin', admin, 201),
  row('PATCH /admin/shipping-methods/:id', 'admin', admin, 200, shippingMethod),
  row('DELETE /admin/shipping-methods/:id', 'admin', admin, 200, shippingMethod),
  row('GET /admin/tax-rates', 'admin', admin, 200),
  row('PUT /admin/tax-rates/:country', 'admin', admin, 200),
  row('DELETE /admin/tax-rates/:country', 'admin', admin, 200, { TAX_RATE_NOT_FOUND: 404 }),

  row('GET /admin/strategies', 'admin', admin, 200),
  // PROVIDER_NOT_FOUND for the field `providerCode` of decisions §11.
  row('POST /admin/strategies', 'super-admin', admin, 201, { ...category, ...provider }),
  row('GET /admin/strategies/:id', 'admin', admin, 200, strategy),
  row('PATCH /admin/strategies/:id', 'admin', admin, 200, {
    ...strategy,
    HAS_ACTIVE_PARTICIPATIONS: 400,
  }),
  row('POST /admin/strategies/:id/image', 'admin', admin, 201, {
    ...strategy,
    INVALID_FILE_TYPE: 400,
    FILE_TOO_LARGE: 413,
  }),
  row('DELETE /admin/strategies/:id/image', 'admin', admin, 200, { ...strategy, IMAGE_NOT_FOUND: 404 }),
  row('POST /admin/strategies/:id/documents', 'admin', admin, 201, {
    ...strategy,
    INVALID_FILE_TYPE: 400,
    FILE_TOO_LARGE: 413,
  }),
  row('DELETE /admin/strategies/:id/documents/:documentId', 'admin', admin, 200, {
    ...strategy,
    DOCUMENT_NOT_FOUND: 404,
  }),
  row('GET /admin/providers', 'admin', admin, 200),
  // Chosen: their secrets and addresses decide over money, so that SUPER_ADMINs change them.
  row('POST /admin/providers', 'super-admin', admin, 201),
  row('GET /admin/providers/:code', 'admin', admin, 200, provider),
  row('PATCH /admin/providers/:code', 'super-admin', admin, 200, provider),
  row('POST /admin/providers/:code/rotate-secret', 'super-admin', admin, 200, provider),
  // Added by issue 31: what a provider pays us of what it owes, or we pay it; who, by the rule of bank transfers.
  row('GET /admin/providers/:code/payments', 'admin', admin, 200, provider),
  row('POST /admin/providers/:code/payments', 'admin', admin, 201, provider),
  // Added by issue 31: what it owes and never will pay; who, since a loss of the platform is decided.
  row('GET /admin/providers/:code/write-offs', 'admin', admin, 200, provider),
  row('POST /admin/providers/:code/write-offs', 'super-admin', admin, 201, provider),
  // Decisions §11, Investment.
  row('GET /admin/investment-categories', 'admin', admin, 200),
  row('POST /admin/investment-categories', 'super-admin', admin, 201, { SLUG_ALREADY_EXISTS: 409 }),
  row('PATCH /admin/investment-categories/:id', 'super-admin', admin, 200, {
    ...category,
    SLUG_ALREADY_EXISTS: 409,
  }),
  // The findings of the daily comparison of issue 14.
  row('GET /admin/investment/differences', 'admin', admin, 200),
  // Chosen: without it, a difference that nobody can remove would keep its alert for ever.
  row('POST /admin/investment/differences/:id/accept', 'admin', admin, 200, {
    DIFFERENCE_NOT_FOUND: 404,
    FORBIDDEN: 403,
  }),
  row('GET /admin/webhook-events', 'admin', admin, 200),
  row('POST /admin/webhook-events/:id/replay', 'admin', admin, 200, {
    EVENT_NOT_FOUND: 404,
    NOT_REPLAYABLE: 400,
  }),
  // Chosen: without them, a report that is wrong stays DEAD for good, and nobody sees what it says.
  row('GET /admin/webhook-events/:id', 'admin', admin, 200, { EVENT_NOT_FOUND: 404 }),
  row('POST /admin/webhook-events/:id/discard', 'admin', admin, 200, { EVENT_NOT_FOUND: 404 }),
];
