import type { OperationWords } from './words';

/** Catalogue, cart, orders and shipping, as buyers use them. */
export const commerceOperations: OperationWords = {
  'GET /products': ['listProducts', 'One page of products'],
  'GET /products/:id': ['getProduct', 'The product'],
  'GET /products/:id/reviews': ['listReviews', 'One page of reviews, and how all of them rate the product'],
  'POST /products/:id/reviews': ['createReview', 'The review as it was received'],
  'POST /products/:id/reviews/:reviewId/helpful': ['voteReviewHelpful', 'The number of votes'],
  'DELETE /products/:id/reviews/:reviewId/helpful': ['withdrawReviewVote', 'The number of votes'],
  'GET /categories': ['listCategories', 'The categories as a tree'],
  'GET /categories/:id': ['getCategory', 'The category, and one page of its products'],
  'GET /cart': ['getCart', 'The cart'],
  'DELETE /cart': ['clearCart', 'How many items were removed'],
  'POST /cart/items': ['addCartItem', 'The new line, and the totals of the cart'],
  'PATCH /cart/items/:id': ['updateCartItem', 'The line as it is now, and the totals of the cart'],
  'DELETE /cart/items/:id': ['removeCartItem', 'The totals of the cart without the line'],
  'POST /cart/coupons': ['addCoupon', 'The cart with the coupon'],
  'DELETE /cart/coupons/:code': ['removeCoupon', 'The cart without the coupon'],
  'POST /cart/checkout': ['checkout', 'The placed order, and how to pay for it'],
  'GET /orders': ['listOrders', 'One page of orders'],
  'GET /orders/:id': ['getOrder', 'The order'],
  'GET /orders/:id/tracking': ['trackOrder', 'The parcel and its journey so far'],
  'POST /orders/:id/cancel': ['cancelOrder', 'The cancelled order, and what becomes of the money'],
  'POST /orders/:id/pay': ['payOrder', 'How to pay for the order in this attempt'],
  'POST /orders/:id/refund': ['requestRefund', 'The refund request, which an administrator will decide'],
  'GET /shipping/methods': ['listShippingMethods', 'The shipping methods for the destination'],
  'POST /shipping/calculate': ['calculateShipping', 'The price and delivery dates of each shipping method'],
  'POST /payments/webhooks/:provider': [
    'receivePaymentReport',
    { 200: 'A report that was received before', 202: 'The report is stored and will be processed' },
  ],
};
