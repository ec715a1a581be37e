import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import {
  investmentProvider,
  type InvestmentProvider,
} from '../../../support/builders/investing/investment-provider';
import { walletMinor } from '../../../support/builders/investing/investors';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { storedReport } from '../../../support/builders/ordering';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';

let provider: InvestmentProvider;
let token: string;

const world = ownCheckedWorld({ variables: { POLICY_PROVIDER_REPORT_PERCENT: '20' } });
beforeAll(async () => {
  provider = await investmentProvider(world);
  token = await signIn(world, await make.admin(world.db));
});

const ask = (id: string, body: object) =>
  world.http.post(`/api/v1/admin/webhook-events/${id}/replay`).auth(token, { type: 'bearer' }).send(body);
/** The status of a revived report is RECEIVED with the answer, so that a DEAD one afterwards was tried again. */
const replay = (id: string, body: object) => ask(id, body).expect(200);

/** A running investment of 1,000 at the provider. */
async function running() {
  const strategy = await make.strategy(world.db, { providerCode: provider.code });
  const externalId = v7();
  const made = await make.participation(world.db, {
    ...{ strategyId: strategy.id, externalId, status: 'ACTIVE', origin: 'PROVIDER' },
  });
  return {
    ...made,
    /** Sends a report that is refused; answers its id there and here. */
    refused: async (type: string, amount: number) => {
      const id = v7();
      await provider.send(type, { investmentExternalId: externalId, externalId: v7(), amount }, { id });
      const { id: eventId, error } = await provider.becomes(id, 'DEAD');
      expect(error).toContain('a person has to confirm it');
      return { id, eventId };
    },
  };
}

const earnedMinor = async (id: string): Promise<unknown> =>
  firstRow(world.db, 'SELECT status, earned_minor FROM participations WHERE id = $1', [id]);

describe('a profit beyond the share of the principal that a report may say of', () => {
  test('is DEAD, is DEAD again without a confirmation, and is applied with one, once', async () => {
    const { id: participationId, refused } = await running();
    const { id, eventId } = await refused('profit.distributed', 200.01);

    await replay(eventId, {});
    await provider.becomes(id, 'DEAD');
    await replay(eventId, { confirm: false });
    await provider.becomes(id, 'DEAD');
    expect(await earnedMinor(participationId)).toEqual({ status: 'ACTIVE', earnedMinor: 0 });

    await replay(eventId, { confirm: true });
    await provider.becomes(id, 'PROCESSED');
    expect(await earnedMinor(participationId)).toEqual({ status: 'ACTIVE', earnedMinor: 200_01 });
    expect(
      await rows(
        world.db,
        `SELECT amount_minor FROM investment_transactions WHERE participation_id = $1 AND type = 'PROFIT'`,
        [participationId],
      ),
    ).toEqual([{ amountMinor: 200_01 }]);
    expect(
      await rows(
        world.db,
        `SELECT next -> 'confirmed' AS confirmed FROM audit_records
         WHERE action = 'webhook-event.replay' AND entity_id = $1 ORDER BY sequence`,
        [eventId],
      ),
    ).toEqual([{ confirmed: null }, { confirmed: null }, { confirmed: true }]);
  });

  test('of exactly the share needs none', async () => {
    const { id: participationId, refused } = await running();
    await refused('profit.distributed', -200.01);
    const sent = v7();
    const { externalId } = (await firstRow<{ externalId: string }>(
      world.db,
      'SELECT external_id FROM participations WHERE id = $1',
      [participationId],
    ))!;
    await provider.send(
      'profit.distributed',
      { investmentExternalId: externalId, externalId: v7(), amount: 200 },
      { id: sent },
    );
    await provider.becomes(sent, 'PROCESSED');
    expect(await earnedMinor(participationId)).toEqual({ status: 'ACTIVE', earnedMinor: 200_00 });
  });
});

test('a payout beyond what an investment can have earned pays nothing until a person confirms it', async () => {
  const { id: participationId, userId, refused } = await running();
  const { id, eventId } = await refused('investment.withdrawn', 1_200.01);
  await replay(eventId, {});
  await provider.becomes(id, 'DEAD');
  expect(await walletMinor(world.db, userId)).toBe(0);
  await replay(eventId, { confirm: true });
  await provider.becomes(id, 'PROCESSED');
  expect(await earnedMinor(participationId)).toMatchObject({ status: 'WITHDRAWN' });
  expect(await walletMinor(world.db, userId)).toBe(1_200_01);
});

test('a report of a payment has nothing to confirm', async () => {
  const order = await given(world.db).order();
  const { webhookEventId } = await storedReport(world.db, 'DECLINED', order);
  await execute(
    world.db,
    `UPDATE webhook_events SET status = 'DEAD', started_at = now(), processed_at = now() WHERE id = $1`,
    [webhookEventId],
  );
  const { body } = await ask(webhookEventId, { confirm: true }).expect(400);
  expect(body.error).toMatchObject({
    code: 'NOT_REPLAYABLE',
  });
  await ask(webhookEventId, {}).expect(200);
});
