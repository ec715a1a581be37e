import { randomUUID } from 'node:crypto';
import { topUp, TOP_UP_MINOR } from '../../../../support/builders/wallets/top-ups';
import type { Arrange } from '../arranged';

const own: Arrange = async ({ world }, { user }) => ({
  params: { id: (await topUp(world.db, { userId: user.id })).id },
});

/** Endpoints about top-ups of wallets. */
export const topUpArrangements: Readonly<Record<string, Arrange>> = {
  'GET /users/me/balance/top-ups': async ({ world }, { user }) => {
    await topUp(world.db, { userId: user.id });
    return {};
  },
  'GET /users/me/balance/top-ups/:id': own,
  'POST /users/me/balance/top-ups/:id/cancel': own,
  'POST /admin/bank-transfers': async ({ world }) => ({
    body: {
      ...{ purpose: (await topUp(world.db)).number, amount: TOP_UP_MINOR / 100 },
      ...{ transactionId: randomUUID(), onMismatch: undefined },
    },
  }),
};
