import { execute, firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { payer, type Payer } from '../../../support/builders/wallets/top-ups';
import { ownCheckedWorld } from '../../../support/worlds/world';

let clerk: string;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  clerk = await signIn(world, await make.admin(world.db));
});

const listed = async (query: Record<string, string | number>) => {
  const { status, body } = await world.http
    .get('/api/v1/admin/top-ups')
    .query(query)
    .auth(clerk, { type: 'bearer' });
  return { status, total: body.meta?.pagination?.total as number, topUps: body.data?.topUps as Listed[] };
};
interface Listed {
  id: string;
}
const topUpOf = async ({ id }: Pick<Payer, 'id'>): Promise<{ id: string; number: string }> =>
  (await firstRow<{ id: string; number: string }>(
    world.db,
    'SELECT id, number FROM top_ups WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
    [id],
  ))!;

describe('GET /admin/top-ups', () => {
  test('200: newest first, by page and by each filter', async () => {
    const [ada, bob] = [await payer(world), await payer(world)];
    await ada.topUp({ paymentMethod: 'EWALLET', amount: 33.33 });
    const byWallet = await topUpOf(ada);
    await bob.topUp({ paymentMethod: 'BANK_TRANSFER' });
    const byTransfer = await topUpOf(bob);
    await bob.cancel(byTransfer.id);
    await execute(world.db, `UPDATE top_ups SET created_at = '2026-03-01T12:00:00Z' WHERE id = $1`, [
      byTransfer.id,
    ]);
    const idsOf = async (query: Record<string, string>) => (await listed(query)).topUps.map(({ id }) => id);
    const { total, topUps } = await listed({ user: ada.id });
    expect(total).toBe(1);
    expect(topUps).toEqual([
      {
        ...{
          ...byWallet,
          status: 'PENDING_PAYMENT',
          amount: 33.33,
          currency: 'USD',
          paymentMethod: 'EWALLET',
        },
        ...{
          paymentStatus: 'PENDING',
          expiresAt: expect.any(String),
          createdAt: expect.any(String),
          paidAt: null,
        },
        user: { id: ada.id, email: ada.email, name: expect.any(String) },
        chargedBackAmount: 0,
      },
    ]);
    expect(await idsOf({ user: ada.email.toUpperCase() })).toEqual([byWallet.id]);
    expect(await idsOf({ user: 'nobody@example.com' })).toEqual([]);
    for (const topUp of [byTransfer.id, byTransfer.number, byTransfer.number.toLowerCase()])
      expect(await idsOf({ topUp })).toEqual([byTransfer.id]);
    expect(await idsOf({ user: bob.id, status: 'CANCELLED' })).toEqual([byTransfer.id]);
    expect(await idsOf({ user: bob.id, status: 'PAID' })).toEqual([]);
    expect(await idsOf({ paymentMethod: 'EWALLET' })).toEqual([byWallet.id]);
    expect(await idsOf({ dateFrom: '2026-03-01', dateTo: '2026-03-01' })).toEqual([byTransfer.id]);
    expect(await idsOf({ dateTo: '2026-02-28' })).toEqual([]);
    const all = await listed({});
    expect(all.total).toBeGreaterThan(1);
    expect((await listed({ pageSize: 1, page: 2 })).topUps).toEqual([all.topUps[1]]);
  });

  test.each([{ status: 'LOST' }, { paymentMethod: 'BALANCE' }, { dateFrom: 'today' }, { pageSize: 101 }])(
    '400 VALIDATION_ERROR: %j',
    async (query) => {
      expect((await listed(query as Record<string, string>)).status).toBe(400);
    },
  );
});
