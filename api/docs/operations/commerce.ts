import type { OperationWords } from './words';

/** Catalogue, cart, orders and shipping, as buyers use them. */
export const commerceOperations: OperationWords = {
  'GET /products': ['listProducts', 'One page of products'],
  'GET /products/:id': [
    'getProduct',
    'The product',
    'Price, stock, variants, images, rating and related products.',
  ],
  'GET /products/:id/reviews': ['listReviews', 'One page of reviews, and how all of them rate the product'],
  'POST /products/:id/reviews': ['createReview', 'The review as it was received'],
  'POST /products/:id/reviews/:reviewId/helpful': ['voteReviewHelpful', 'The number of votes'],
  'DELETE /products/:id/reviews/:reviewId/helpful': ['withdrawReviewVote', 'The number of votes'],
  'GET /categories': [
    'listCategories',
    'The categories as a tree',
    'Each category with its subcategories, from the top or from one category down.',
  ],
  'GET /categories/:id': ['getCategory', 'The category, and one page of its products'],
  'GET /cart': ['getCart', 'The cart'],
  'DELETE /cart': [
    'clearCart',
    'How many items were removed',
    'Nothing is reserved by a cart, so nothing else changes.',
  ],
  'POST /cart/items': ['addCartItem', 'The new line, and the totals of the cart'],
  'PATCH /cart/items/:id': [
    'updateCartItem',
    'The line as it is now, and the totals of the cart',
    'The quantity replaces the one before. Refused if stock does not suffice.',
  ],
  'DELETE /cart/items/:id': [
    'removeCartItem',
    'The totals of the cart without the line',
    'The rest of the cart stays as it is.',
  ],
  'POST /cart/coupons': ['addCoupon', 'The cart with the coupon'],
  'DELETE /cart/coupons/:code': ['removeCoupon', 'The cart without the coupon'],
  'POST /investment/participations': ['invest', 'The participation, and how to pay for it'],
  'POST /cart/checkout': [
    'checkout',
    'The placed order, and how to pay for it',
    'Takes everything in the cart at the prices of now, reserves the stock and opens a payment. The cart is empty afterwards. Send an Idempotency-Key: repeated with it, there is still one order.',
  ],
  'GET /orders': ['listOrders', 'One page of orders'],
  'GET /orders/:id': [
    'getOrder',
    'The order',
    'Lines, prices, addresses, payment, refunds and the history of one order.',
  ],
  'GET /orders/:id/tracking': ['trackOrder', 'The parcel and its journey so far'],
  'POST /orders/:id/cancel': [
    'cancelOrder',
    'The cancelled order, and what becomes of the money',
    'Possible until the order is shipped. What was paid is sent back.',
  ],
  'POST /orders/:id/pay': ['payOrder', 'How to pay for the order in this attempt'],
  'POST /orders/:id/refund': ['requestRefund', 'The refund request, which an administrator will decide'],
  'GET /shipping/methods': ['listShippingMethods', 'The shipping methods for the destination'],
  'POST /shipping/calculate': [
    'calculateShipping',
    'The price and delivery dates of each shipping method',
    'For goods that need not be in a cart; nothing is reserved.',
  ],
  'POST /payments/webhooks/:provider': [
    'receivePaymentReport',
    { 200: 'A report that was received before', 202: 'The report is stored and will be processed' },
  ],
  'POST /investment/participations/:id/withdraw': ['withdrawParticipation', 'The withdrawal'],
};
