import express, { Router, type Request } from 'express';
import { v7 } from 'uuid';
import { checkoutActivities } from '../../../activities/commerce/checkout/checkout.activities';
import { ProvidersConfig } from '../../../activities/providers/config';
import { paymentProviders } from '../../../activities/providers/payments';
import { inCurrency, summariseCart, cartView } from '../../../api/cart/cart.view';
import { pricedOpenCart } from '../../../api/cart/priced-cart';
import { showUserCart } from '../../../api/cart/show.command';
import { orderDetailView } from '../../../api/orders/order-detail.view';
import { paymentBlockView } from '../../../api/orders/payment.view';
import { addressView } from '../../../api/users/addresses/address.view';
import { cartCandidate } from '../../../db/commerce/cart/cart-candidate.reads';
import { cartLines, lockCart } from '../../../db/commerce/cart/cart.reads';
import { changeLine, openCart, putIntoCart, touchCart } from '../../../db/commerce/cart/cart.writes';
import { policyFrom } from '../../../db/policy/config';
import { orderDetail } from '../../../db/commerce/order/order.reads';
import { shippingOptions } from '../../../db/commerce/shipping/shipping.reads';
import { addressesOf } from '../../../db/identity/address/address.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';

/** The seven calls of a checkout in one process without durability. */
export function bareCheckout(db: Db, { SANDBOX_SECRET }: { SANDBOX_SECRET: string }): Router {
  const router = Router();
  const policy = policyFrom({});
  const steps = checkoutActivities({
    db,
    payments: sandboxPayments(db, SANDBOX_SECRET),
    policy,
  });

  router.use(['/cart', '/orders', '/users', '/shipping'], express.json());
  router.post('/cart/items', async (req, res) => {
    const { productId, quantity: added } = req.body;
    const data = await inTransaction(db, async (tx) => {
      const at = new Date();
      const cartId = await openCart(tx, buyerOf(req), at, policy.cartDays);
      const goods = await cartCandidate(tx, { cartId, productId, variantId: null });
      const priceMinor = goods!.priceMinor;
      const maxLines = policy.cartLines;
      const line = { itemId: v7(), cartId, productId, variantId: null, added, priceMinor, maxLines, at };
      const { itemId, quantity } = (await putIntoCart(tx, line))!;
      const product = { id: productId, name: goods!.name };
      const prices = { unitPrice: inCurrency(priceMinor), totalPrice: inCurrency(priceMinor * quantity) };
      const cartSummary = summariseCart(await pricedOpenCart(tx, buyerOf(req), policy));
      return { cartItemId: itemId, product, quantity, ...prices, cartSummary };
    });
    res.status(201).json({ success: true, data });
  });
  router.patch('/cart/items/:id', async (req, res) => {
    const { id } = req.params;
    const { quantity } = req.body;
    const data = await inTransaction(db, async (tx) => {
      const cartId = await lockCart(tx, buyerOf(req), policy.cartDays);
      const cart = await cartLines(tx, buyerOf(req), policy.cartDays);
      const priceMinor = cart!.lines.find(({ itemId }) => itemId === id)!.currentPriceMinor;
      await changeLine(tx, { itemId: id, quantity, priceMinor });
      await touchCart(tx, cartId!, new Date());
      const prices = { unitPrice: inCurrency(priceMinor), totalPrice: inCurrency(priceMinor * quantity) };
      const cartSummary = summariseCart(await pricedOpenCart(tx, buyerOf(req), policy));
      return { cartItemId: id, quantity, ...prices, cartSummary };
    });
    res.json({ success: true, data });
  });
  router.get('/cart', async (req, res) => {
    res.json({ success: true, data: cartView(await showUserCart(db, buyerOf(req), policy)) });
  });
  router.get('/users/me/addresses', async (req, res) => {
    const addresses = await addressesOf(db, buyerOf(req));
    res.json({ success: true, data: { addresses: addresses.map(addressView) } });
  });
  router.get('/shipping/methods', async (req, res) => {
    const methods = await shippingOptions(db, 'DE');
    res.json({
      success: true,
      data: { methods: methods.map(({ methodId, ...rest }) => ({ id: methodId, ...rest })) },
    });
  });
  router.post('/cart/checkout', async (req, res) => {
    const [orderId, at] = [v7(), new Date().toISOString()];
    const command = {
      billingAddressId: null,
      couponCodes: [],
      usePartnerBalance: false,
      noteId: null,
      attemptId: v7(),
    };
    const placed = await steps.placeOrder({ ...req.body, ...command, orderId, userId: buyerOf(req), at });
    const { orderNumber, summaryMinor: summary, payment, estimatedDelivery } = placed;
    const data = { orderId, orderNumber, payment: paymentBlockView(payment), summary, estimatedDelivery };
    res.status(201).json({ success: true, data });
  });
  router.get('/orders/:id', async (req, res) => {
    const order = await orderDetail(db, buyerOf(req), req.params.id);
    res.json({ success: true, data: orderDetailView(order!, new Date(), policyFrom({})) });
  });
  return router;
}

/** The caller named by the request: authentication is no part of the comparison. */
const buyerOf = (req: Request): string => req.get('x-buyer')!;

function sandboxPayments(db: Db, secret: string) {
  const config = ProvidersConfig.parse({ SANDBOX_SECRET: secret, PUBLIC_URL: 'http://127.0.0.1' });
  return {
    providers: paymentProviders(config, db),
    current: 'sandbox',
    bank: { bankName: 'Bank', accountNumber: 'DE02', bik: 'BIK' },
    accountHolder: 'Bench',
  };
}
