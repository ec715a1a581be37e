import { financial, general, perMinute, row } from './row';

const reads = perMinute(200);
const cart = perMinute(100);
const orders = perMinute(100);

/** Document 1 §4 and decisions §5, §6, §11. */
export const commerce = [
  row('GET /products', 'optional', reads, 200),
  row('GET /products/:id', 'optional', reads, 200, { PRODUCT_NOT_FOUND: 404 }),
  row('GET /products/:id/reviews', 'optional', reads, 200, { PRODUCT_NOT_FOUND: 404 }),
  row('POST /products/:id/reviews', 'user', perMinute(100), 201, {
    NOT_PURCHASED: 403,
    PRODUCT_NOT_FOUND: 404,
    ALREADY_REVIEWED: 409,
  }),
  row('POST /products/:id/reviews/:reviewId/helpful', 'user', general, 200, {
    PRODUCT_NOT_FOUND: 404,
    REVIEW_NOT_FOUND: 404,
  }),
  row('DELETE /products/:id/reviews/:reviewId/helpful', 'user', general, 200, {
    PRODUCT_NOT_FOUND: 404,
    REVIEW_NOT_FOUND: 404,
  }),

  row('GET /categories', 'public', reads, 200),
  row('GET /categories/:id', 'public', reads, 200, { CATEGORY_NOT_FOUND: 404 }),

  row('GET /cart', 'user', cart, 200),
  row('DELETE /cart', 'user', cart, 200),
  row('POST /cart/items', 'user', cart, 201, {
    PRODUCT_NOT_FOUND: 404,
    VARIANT_NOT_FOUND: 404,
    PRODUCT_UNAVAILABLE: 400,
    INSUFFICIENT_STOCK: 400,
    MAX_QUANTITY_EXCEEDED: 400,
  }),
  row('PATCH /cart/items/:id', 'user', cart, 200, {
    CART_ITEM_NOT_FOUND: 404,
    INSUFFICIENT_STOCK: 400,
    MAX_QUANTITY_EXCEEDED: 400,
  }),
  row('DELETE /cart/items/:id', 'user', cart, 200, { CART_ITEM_NOT_FOUND: 404 }),
  row('POST /cart/coupons', 'user', cart, 201, { INVALID_COUPON: 400 }),
  row('DELETE /cart/coupons/:code', 'user', cart, 200, { COUPON_NOT_FOUND: 404 }),
  row('POST /cart/checkout', 'user', financial(2), 201, {
    CART_EMPTY: 400,
    ITEMS_UNAVAILABLE: 400,
    INSUFFICIENT_STOCK: 400,
    INSUFFICIENT_BALANCE: 400,
    INVALID_ADDRESS: 400,
    INVALID_SHIPPING_METHOD: 400,
    INVALID_COUPON: 400,
    KYC_REQUIRED: 403,
    PRICE_CHANGED: 409,
  }),

  row('GET /orders', 'user', orders, 200),
  row('GET /orders/:id', 'user', orders, 200, { ORDER_NOT_FOUND: 404 }),
  row('GET /orders/:id/tracking', 'user', orders, 200, { ORDER_NOT_FOUND: 404, NOT_SHIPPED: 400 }),
  row('POST /orders/:id/cancel', 'user', orders, 200, { ORDER_NOT_FOUND: 404, CANNOT_CANCEL: 400 }),
  row('POST /orders/:id/pay', 'user', orders, 201, {
    ORDER_NOT_FOUND: 404,
    NOT_PAYABLE: 400,
    INSUFFICIENT_BALANCE: 400,
  }),
  row('POST /orders/:id/refund', 'user', orders, 201, {
    ORDER_NOT_FOUND: 404,
    CANNOT_REFUND: 400,
    REFUND_PERIOD_EXPIRED: 400,
    REFUND_ALREADY_REQUESTED: 409,
  }),

  row('GET /shipping/methods', 'optional', reads, 200, { SHIPPING_NOT_AVAILABLE: 400 }),
  row('POST /shipping/calculate', 'optional', reads, 200, {
    INVALID_DESTINATION: 400,
    PRODUCT_NOT_FOUND: 404,
  }),

  row('POST /payments/webhooks/:provider', 'public', perMinute(600), [202, 200], {
    INVALID_SIGNATURE: 401,
    PROVIDER_NOT_FOUND: 404,
  }),
];
