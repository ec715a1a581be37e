import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';
import { CartView, cartView } from './cart.view';
import { showUserCart } from './show.command';

export const showCart = endpoint({
  id: 'getCart',
  returns: 'The cart',
  method: 'get',
  path: '/cart',
  summary: 'The caller’s cart',
  description: 'Shows current prices; those shown here are what checkout charges.',
  tag: 'Cart',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: CartView,
  errors: {},

  async handle(_request, { db, caller, policy }) {
    return cartView(await showUserCart(db, caller.id, policy));
  },
});
