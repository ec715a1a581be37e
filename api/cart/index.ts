import type { Endpoint } from '../http/endpoint';
import { checkout } from './checkout';
import { clearCart } from './clear';
import { addCartCoupon } from './coupons/add';
import { removeCartCoupon } from './coupons/remove';
import { addCartItem } from './items/add';
import { changeCartItem } from './items/change';
import { removeCartItem } from './items/remove';
import { showCart } from './show';

export const cartEndpoints: readonly Endpoint[] = [
  showCart,
  clearCart,
  addCartItem,
  changeCartItem,
  removeCartItem,
  addCartCoupon,
  removeCartCoupon,
  checkout,
];
