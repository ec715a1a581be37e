import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import {
  cancelParticipation,
  participationMoved,
} from '../../../../workflows/investment/participation/participation.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { reporting } from '../../../activities/investment/provider-event/reporting';
import { report, variablesFor } from '../../../api/payments/stripe-shop';
import { investmentState } from '../../../support/builders/investing/invested';
import {
  investmentProvider,
  type InvestmentProvider,
} from '../../../support/builders/investing/investment-provider';
import { investor } from '../../../support/builders/investing/investors';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { FakeStripe } from '../../../support/fakes/fake-stripe';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { startWorld, type World } from '../../../support/worlds/world';
import { holds, processOf, type Held } from './participations';

const daysFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** A participation that waits for a payment by card, and that its provider reports as paid there. */
const createdOf = (strategy: { strategyCode: string }, userId: string, participationId: string) => ({
  ...{ externalId: v7(), userId, participationId, strategyCode: strategy.strategyCode },
  ...{ amount: 1_000, currency: 'USD', startDate: new Date().toISOString(), maturityDate: daysFromNow(400) },
});

describe('a page at Stripe, when the provider of the investment reports that it was paid there', () => {
  let bank: FakeStripe;
  let world: World;
  let provider: InvestmentProvider;
  beforeAll(async () => {
    bank = await FakeStripe.start();
    world = await startWorld({
      queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
      variables: variablesFor(bank.url),
    });
    provider = await investmentProvider(world);
  });
  afterAll(async () => {
    expect(await violations(world.db)).toEqual([]);
    await world.teardown();
    await bank.stop();
  });

  /** An open page, and a way to report its participation as paid at the provider. */
  async function opened() {
    const strategy = await make.strategy(world.db, { providerCode: provider.code });
    const ada = await investor(world);
    const answer = await ada.invest(strategy.id, { paymentMethod: 'CARD' });
    expect(answer.status).toBe(201);
    const id = answer.body.data.participationId as string;
    const attempt = (await firstRow<{ id: string }>(
      world.db,
      'SELECT id FROM payment_attempts WHERE participation_id = $1',
      [id],
    ))!;
    const session = bank.state.sessionOf(attempt.id);
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    const created = createdOf(strategy, ada.id, id);
    const takeOver = async (): Promise<void> => {
      const event = v7();
      await provider.send('investment.created', created, { id: event }).expect(202);
      await provider.becomes(event, 'PROCESSED');
    };
    return { id, session, takeOver };
  }
  const becomes = (id: string, refunds: string[]): Promise<void> =>
    eventually(async () =>
      expect(await investmentState(world.db, id)).toMatchObject({
        ...{ participation: 'ACTIVE PAID', method: null, attempts: ['CARD CANCELLED'], refunds },
      }),
    );

  test('is closed: nobody can pay on it any more', async () => {
    const { id, session, takeOver } = await opened();
    await takeOver();
    await eventually(() => expect(session.status).toBe('expired'));
    await becomes(id, []);
    await report(world, 'checkout.session.expired', session);
    await becomes(id, []);
  });

  test('stays open for another card when one is declined, and the participation waits', async () => {
    const { id, session } = await opened();
    const failed = { id: 'pi_1', amount: session.amount_total, currency: 'usd', metadata: session.metadata };
    await report(world, 'payment_intent.payment_failed', failed);
    await eventually(async () =>
      expect(await firstRow(world.db, `SELECT 1 FROM webhook_events WHERE status <> 'PROCESSED'`)).toBeNull(),
    );
    expect(await investmentState(world.db, id)).toMatchObject({
      ...{ participation: 'PENDING_PAYMENT PENDING', attempts: ['CARD PENDING'] },
    });
    bank.state.pay(session.id);
    await report(world, 'checkout.session.completed', session);
    await eventually(async () =>
      expect(await investmentState(world.db, id)).toMatchObject({
        ...{ participation: 'ACTIVE PAID', attempts: ['CARD PAID'], refunds: [] },
      }),
    );
  });

  test('on which money came, of which nobody reported: it goes back, once, also when the report comes late', async () => {
    const { id, session, takeOver } = await opened();
    const payment = bank.state.pay(session.id);
    await takeOver();
    await becomes(id, ['DUPLICATE_PAYMENT 100000 COMPLETED']);
    await report(world, 'checkout.session.completed', session);
    await takeOver();
    await eventually(async () =>
      expect(await firstRow(world.db, `SELECT 1 FROM webhook_events WHERE status <> 'PROCESSED'`)).toBeNull(),
    );
    await becomes(id, ['DUPLICATE_PAYMENT 100000 COMPLETED']);
    expect(bank.state.refunds.filter((refund) => refund.payment_intent === payment)).toHaveLength(1);
  });
});

describe('the process of a participation that was taken over, or cancelled', () => {
  let world: SkippingWorld;
  /** The calls to the payment provider, and work before it answers with a page. */
  let calls: string[];
  let beforePage: () => Promise<void>;
  beforeAll(async () => {
    world = await startSkippingWorld({
      queues: ['interactive', ...PROVIDER_QUEUES],
      variables: { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' },
      fakes: () => ({
        async openPage({ attemptId }) {
          await beforePage();
          calls.push('opened');
          return { paymentUrl: `https://pay.test/${attemptId}` };
        },
        lookUpPayments({ provider }) {
          calls.push(`looked up at ${provider}`);
          return Promise.resolve([]);
        },
      }),
    });
  });
  beforeEach(() => {
    calls = [];
    beforePage = () => Promise.resolve();
  });
  afterAll(async () => {
    expect(await violations(world.db)).toEqual([]);
    await world.teardown();
  });

  /** Applies the provider's report, and tells the process. */
  async function takeOver(
    strategy: { strategyCode: string; providerCode: string },
    { userId, participationId }: Pick<Held, 'userId' | 'participationId'>,
  ): Promise<void> {
    const created = createdOf(strategy, userId, participationId);
    const applied = await reporting(world.db, strategy.providerCode).report({
      type: 'investment.created',
      data: created,
    });
    expect(applied).toMatchObject({ outcome: 'APPLIED' });
    await processOf(world, participationId).signal(participationMoved);
  }

  test('looks for money once, however often it is told and continues as new', async () => {
    const strategy = await make.strategy(world.db);
    const held = await holds(world, { strategyId: strategy.id, paymentMethod: 'CARD' });
    const { runId } = await held.process.describe();
    await takeOver(strategy, held);
    await eventually(() => expect(calls).toEqual(['opened', 'looked up at stripe']));
    await held.process.signal(participationMoved);
    await world.sleep('65 days');
    expect((await held.process.describe()).runId).not.toBe(runId);
    await held.process.signal(participationMoved);
    await world.sleep('1 minute');
    expect(calls).toEqual(['opened', 'looked up at stripe']);
    await keepHistory(held.process, 'taken-over', runId);
    await keepHistory(held.process, 'taken-over-continued');
  });

  test('waits for a page that is being opened, since it could not be closed before', async () => {
    const strategy = await make.strategy(world.db);
    let release: () => void = () => undefined;
    const released = new Promise<void>((done) => (release = done));
    let begun = false;
    beforePage = () => {
      begun = true;
      return released;
    };
    const [userId, participationId] = [(await make.user(world.db, { kycLevel: 'STANDARD' })).id, v7()];
    const asked = { strategyId: strategy.id, userId, participationId, paymentMethod: 'CARD' as const };
    const opening = holds(world, asked);
    await eventually(() => expect(begun).toBe(true));
    await takeOver(strategy, { userId, participationId });
    await pause(1_000);
    release();
    await opening;
    await eventually(() => expect(calls).toEqual(['opened', 'looked up at stripe']));
  });

  test('closes the page of one that an administrator cancelled', async () => {
    const strategy = await make.strategy(world.db);
    const held = await holds(world, { strategyId: strategy.id, paymentMethod: 'CARD' });
    const noteId = await noteOf(world.db, (await make.admin(world.db)).id, 'On the phone.');
    await held.process.executeUpdate(cancelParticipation, { args: [{ noteId }] });
    expect(await held.process.result()).toBe('CANCELLED');
    expect(calls).toEqual(['opened', 'looked up at stripe']);
  });

  test('asks nobody where a bank transfer was awaited', async () => {
    const strategy = await make.strategy(world.db);
    const held = await holds(world, { strategyId: strategy.id, paymentMethod: 'BANK_TRANSFER' });
    await takeOver(strategy, held);
    await world.sleep('40 days');
    expect(calls).toEqual([]);
  });
});
