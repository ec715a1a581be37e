import { v7 } from 'uuid';
import { park } from '../../../../db/administration/operations/parking.writes';
import { firstRow } from '../../../../db/sql/query';
import type { ProcessDefinition } from '../../../../workflows/kit/process';
import { payoutProcess } from '../../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { participationProcess } from '../../../../workflows/investment/participation/participation.contract';
import { withdrawalProcess } from '../../../../workflows/investment/withdrawal/withdrawal.contract';
import { withdrawnByHand } from '../../../support/builders/investing/withdrawing';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { payee, payoutSteps, processed, requested } from '../../../support/builders/paying-out/payees';
import { startAdminWorld, type AdminWorld } from '../admin-world';
import { FakePayouts } from '../../../support/fakes/fake-payouts';

let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld();
});
afterAll(() => desk.world.teardown());

/** An entry of this process of a user in the operators' list, as they are shown it. */
async function shown({ type }: Pick<ProcessDefinition<never>, 'type'>, entityId: string, userId: string) {
  const entry = { workflowId: `${type}:${entityId}`, type, entityId, userId, reason: 'x', lastError: 'x' };
  await park(desk.world.db, { ...entry, since: new Date().toISOString(), runId: v7() });
  const { body } = await desk.ask('get', `/admin/operations?type=${type}`);
  const all = body.data.operations as Record<string, unknown>[];
  const { user, amount, currency, actions } = all.find((one) => one['entityId'] === entityId)!;
  return { user, amount, currency, actions };
}

const bySandbox = () => payoutSteps(desk.world.db, new FakePayouts());
const byHand = () => payoutSteps(desk.world.db, null);
const person = ({ id, email }: { id: string; email: string }) => ({ id, email });
const RETRY = ['RETRY', 'ABANDON'];

describe('a parked process shows whose money waits, how much, and what a person sends', () => {
  test.each([
    ['PARTNER', payoutProcess],
    ['WALLET', walletWithdrawalProcess],
  ] as const)('a payout: %s', async (kind, process) => {
    const { db } = desk.world;
    const who = await payee(db, { kind });
    const sent = await processed(db, bySandbox(), who, 12_34);
    const payout = { user: person(who.user), amount: 12.34, currency: 'USD' };
    expect(await shown(process, sent, who.user.id)).toEqual({ ...payout, actions: RETRY });
    const other = await payee(db, { kind });
    const left = await processed(db, byHand(), other, 12_34);
    const settled = { ...payout, user: person(other.user), actions: [...RETRY, 'SETTLE'] };
    expect(await shown(process, left, other.user.id)).toEqual(settled);
    const waiting = await payee(db, { kind });
    const undecided = await requested(byHand(), waiting, 12_34);
    expect(await shown(process, undecided, waiting.user.id)).toEqual({
      ...{ ...payout, user: person(waiting.user), actions: RETRY },
    });
  });

  test('a withdrawal of an investment', async () => {
    const { db } = desk.world;
    const id = await withdrawnByHand(db);
    const made = await firstRow<{ id: string; email: string; netMinor: number; currency: string }>(
      db,
      `SELECT u.id, u.email, w.net_minor, w.currency FROM investment_withdrawals w JOIN users u ON u.id = w.user_id
        WHERE w.id = $1`,
      [id],
    );
    expect(await shown(withdrawalProcess, id, made!.id)).toEqual({
      ...{ user: person(made!), amount: made!.netMinor / 100, currency: made!.currency },
      actions: [...RETRY, 'SETTLE'],
    });
  });

  test('a participation', async () => {
    const user = await make.user(desk.world.db);
    const participation = await make.participation(desk.world.db, { status: 'ACTIVE', userId: user.id });
    expect(await shown(participationProcess, participation.id, user.id)).toEqual({
      ...{ user: person(user), amount: participation.amountMinor / 100, currency: 'USD', actions: RETRY },
    });
  });
});

test.each([
  ['PARTNER', payoutProcess, 'payout'],
  ['WALLET', walletWithdrawalProcess, 'withdrawal'],
] as const)('nobody retries or abandons an own one: %s', async (kind, process, words) => {
  const { db } = desk.world;
  const admin = await make.admin(db);
  const token = await signIn(desk.world, admin);
  const one = await payee(db, { kind });
  const own = await processed(db, bySandbox(), one, 12_34);
  await shown(process, own, admin.id);
  for (const decision of ['retry', 'abandon']) {
    const path = `/admin/operations/${encodeURIComponent(`${process.type}:${own}`)}/${decision}`;
    const { status, body } = await desk.ask('post', path, {}, token);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toBe(`You cannot decide on your own ${words}.`);
  }
});
