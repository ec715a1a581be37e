import type { Response } from 'supertest';
import { transfersAddress } from '../../../api/sandbox/transfers/address';
import { firstRow, rows, type Db } from '../../../db/sql/query';
import { investor, type Investor } from '../../support/builders/investing/investors';
import { make } from '../../support/builders/make';
import { payee } from '../../support/builders/paying-out/payees';
import { signIn } from '../../support/builders/sign-in';
import { testVariables } from '../../support/worlds/variables';
import type { World } from '../../support/worlds/world';
import type { StoppedSteps } from './stopped-steps';

/** The sandbox keeps transfers to it under way until they are ended on its page. */
const SLOW_CARD = '4000000000008888';
const FIVE_YEARS = 5 * 365;
const DAY_MS = 24 * 3_600_000;
/** Of a commission; longer than it takes to make all of this, and shorter than a backup with its restore. */
const MATURES_IN_MS = 30_000;

/** Work in the middle of which a backup is made. */
export interface UnderWay {
  payouts: {
    /** PROCESSING; its provider has it under way. */
    sent: string;
    /** The same; it arrives after the copy, and its process is lost. */
    arriving: string;
    /** APPROVED; it is processed after the copy. */
    approved: string;
  };
  refundId: string;
  /** Orders: PAID and not begun, and one whose report of payment is not applied. */
  paid: string;
  reported: string;
  eventId: string;
  /** ACTIVE for years. */
  participationId: string;
  owner: Investor;
  commission: { id: string; maturesAt: Date };
}

/** Makes all of it; `steps` keeps those that stand still. */
export async function startWork(world: World, steps: StoppedSteps): Promise<UnderWay> {
  const { db } = world;
  const owner = await investor(world);
  const strategy = await make.strategy(db, { days: { min: 30, max: 2 * FIVE_YEARS }, lockDays: 0 });
  const invested = await owner.invest(strategy.id, { durationDays: FIVE_YEARS });
  expect(invested.status).toBe(201);
  const payouts = {
    sent: await approvedPayout(world, SLOW_CARD),
    arriving: await approvedPayout(world, SLOW_CARD),
    approved: await approvedPayout(world),
  };
  for (const id of [payouts.sent, payouts.arriving])
    expect((await processPayout(world, id)).body).toMatchObject({ data: { status: 'PROCESSING' } });
  const maturesAt = new Date(Date.now() + MATURES_IN_MS);
  const { id } = await make.commission(db, { at: new Date(maturesAt.getTime() - 30 * DAY_MS) });
  const [paid, reported, refund] = [await steps.paid(), await steps.reported(), await steps.refunding()];
  return {
    ...{ payouts, owner, commission: { id, maturesAt } },
    participationId: (invested.body.data as { participationId: string }).participationId,
    ...{ paid: paid.orderId, reported: reported.orderId, eventId: reported.eventId },
    refundId: refund.refundId,
  };
}

/** The states of all of it: a refund's with the provider's word on it. */
export function statesOf(db: Db, work: UnderWay) {
  const { payouts } = work;
  const named: readonly [string, string, string][] = [
    ['sent', 'SELECT status FROM payouts', payouts.sent],
    ['arriving', 'SELECT status FROM payouts', payouts.arriving],
    ['approved', 'SELECT status FROM payouts', payouts.approved],
    [
      'refund',
      `SELECT status || CASE WHEN asked_at IS NULL THEN '' ELSE ', asked' END FROM payment_refunds`,
      work.refundId,
    ],
    ['paid', 'SELECT status FROM orders', work.paid],
    ['reported', 'SELECT status FROM orders', work.reported],
    ['event', 'SELECT status FROM webhook_events', work.eventId],
    ['participation', 'SELECT status FROM participations', work.participationId],
    ['commission', 'SELECT status FROM partner_commissions', work.commission.id],
  ];
  const columns = named.map(([name, select, id]) => `(${select} WHERE id = '${id}') AS ${name}`);
  return firstRow<Record<string, string>>(db, `SELECT ${columns.join(', ')}`);
}

/** The times that the provider has sent each payout, and the refund. */
export async function timesSent(db: Db, { payouts, refundId }: UnderWay): Promise<Record<string, number>> {
  const found = await rows<{ id: string; times: number }>(
    db,
    `SELECT split_part(key, ':', 1) AS id, sum(times)::int AS times
       FROM (SELECT key, copies AS times FROM sandbox_transfers WHERE status = 'ARRIVED'
         UNION ALL SELECT key, 1 FROM sandbox_refunds) AS sent GROUP BY 1`,
  );
  const times = new Map(found.map((one) => [one.id, one.times]));
  const ids = Object.entries({ ...payouts, refund: refundId });
  return Object.fromEntries(ids.map(([name, id]) => [name, times.get(id) ?? 0]));
}

/** A payout of 40.00 that was requested and approved; answers its id. */
async function approvedPayout(world: World, cardNumber?: string): Promise<string> {
  const { user } = await payee(world.db, cardNumber === undefined ? {} : { cardNumber });
  const token = await signIn(world, user);
  const requested = await world.http
    .post('/api/v1/mlm/payouts/request')
    .auth(token, { type: 'bearer' })
    .send({ amount: 40 });
  expect(requested.status).toBe(201);
  const { id } = requested.body.data as { id: string };
  expect((await decide(world, id, 'approve')).status).toBe(200);
  return id;
}

/** An administrator has the money of a payout sent. */
export const processPayout = (world: World, id: string): Promise<Response> => decide(world, id, 'process');

async function decide(world: World, id: string, decision: 'approve' | 'process'): Promise<Response> {
  const token = await signIn(world, await make.admin(world.db));
  return world.http.post(`/api/v1/admin/payouts/${id}/${decision}`).auth(token, { type: 'bearer' }).send({});
}

/** The transfer of a payout arrives, by the sandbox's page. */
export async function arrives(world: World, payoutId: string): Promise<void> {
  const page = new URL(transfersAddress('http://shop.test', testVariables['SANDBOX_SECRET']!));
  const key = encodeURIComponent(`${payoutId}:1`);
  const pressed = await world.http.post(`${page.pathname}/${key}/settle${page.search}`);
  expect(pressed.headers['location']).toContain('SETTLED');
}
