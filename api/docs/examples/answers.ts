import type { Endpoint } from '../../http/endpoint';
import admin from './answers/admin.json';
import auth from './answers/auth.json';
import cart from './answers/cart.json';
import categories from './answers/categories.json';
import investment from './answers/investment.json';
import kyc from './answers/kyc.json';
import mlm from './answers/mlm.json';
import orders from './answers/orders.json';
import payments from './answers/payments.json';
import products from './answers/products.json';
import regions from './answers/regions.json';
import shipping from './answers/shipping.json';
import users from './answers/users.json';
import { nameOf } from './requests';

/** Data of real answers by endpoint, such as `GET /orders/:id`; `npm run examples` records them. */
export const recordedAnswers: Readonly<Record<string, unknown>> = {
  ...admin,
  ...auth,
  ...cart,
  ...categories,
  ...investment,
  ...kyc,
  ...mlm,
  ...orders,
  ...payments,
  ...products,
  ...regions,
  ...shipping,
  ...users,
};

/** The example of the endpoint's success: `sample`, the envelope, with the recorded data. */
export function answerExample(endpoint: Pick<Endpoint, 'method' | 'path'>, sample: unknown): unknown {
  const data = recordedAnswers[nameOf(endpoint)];
  return data === undefined || typeof sample !== 'object' ? sample : { ...sample, data };
}
