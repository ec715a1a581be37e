import type { OperationWords } from './words';

/** Top-ups of wallets, for their owners and for administrators. */
export const topUpOperations: OperationWords = {
  'POST /users/me/balance/top-up': ['topUpBalance', 'The top-up, and the way to pay it'],
  'GET /users/me/balance/top-ups': ['listTopUps', 'One page of your top-ups'],
  'GET /users/me/balance/top-ups/:id': [
    'getTopUp',
    'The top-up',
    'With the way to pay it, while it waits for its payment.',
  ],
  'POST /users/me/balance/top-ups/:id/cancel': ['cancelTopUp', 'It is cancelled'],
  'GET /admin/top-ups': ['listAllTopUps', 'One page of top-ups'],
};
