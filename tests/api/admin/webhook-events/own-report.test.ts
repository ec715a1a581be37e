import { v7 } from 'uuid';
import { isAboutUser } from '../../../../db/administration/webhook/webhook-event-user.reads';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import {
  investmentProvider,
  type InvestmentProvider,
} from '../../../support/builders/investing/investment-provider';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';

let provider: InvestmentProvider;
let admin: Awaited<ReturnType<typeof make.admin>>;
let token: string;

const world = ownCheckedWorld({ variables: { POLICY_PROVIDER_REPORT_PERCENT: '20' } });
beforeAll(async () => {
  provider = await investmentProvider(world);
  admin = await make.admin(world.db);
  token = await signIn(world, admin);
});

const paths = {
  replay: (id: string) => `/api/v1/admin/webhook-events/${id}/replay`,
  discard: (id: string) => `/api/v1/admin/webhook-events/${id}/discard`,
};
const post = (id: string, verb: 'replay' | 'discard', body: object) =>
  world.http.post(paths[verb](id)).auth(token, { type: 'bearer' }).send(body);
const decisions = (id: string) =>
  rows(world.db, 'SELECT action FROM audit_records WHERE entity_id = $1', [id]);

/** A running investment of 1,000 at the provider. */
async function running(userId: string, externalId: string) {
  const { id: strategyId } = await make.strategy(world.db, { providerCode: provider.code });
  const fields = { strategyId, status: 'ACTIVE', origin: 'PROVIDER', userId, externalId } as const;
  return make.participation(world.db, fields);
}

/** A report that was sent, in the status that it reaches. */
async function sent(type: string, data: Record<string, unknown>, status: string): Promise<string> {
  const id = v7();
  await provider.send(type, { externalId: v7(), ...data }, { id }).expect(202);
  return (await provider.becomes(id, status)).id;
}

const discarding = { reason: 'It is wrong.' };
const forbidden = async (id: string, verb: 'replay' | 'discard', body: object): Promise<void> => {
  const { body: answer } = await post(id, verb, body).expect(403);
  expect(answer.error.code).toBe('FORBIDDEN');
  expect(await decisions(id)).toEqual([]);
};

describe('an administrator decides on no report about themselves', () => {
  test('on their own investment: neither confirmed nor discarded', async () => {
    const investmentExternalId = v7();
    await running(admin.id, investmentExternalId);
    const id = await sent('profit.distributed', { investmentExternalId, amount: -900 }, 'DEAD');
    await forbidden(id, 'replay', { confirm: true });
    await forbidden(id, 'discard', discarding);
  });

  test.each([
    ['id', () => ({ userId: admin.id.toUpperCase() })],
    ['email address', () => ({ email: admin.email.toUpperCase() })],
  ])('that names them by %s: not discarded', async (_, who) => {
    await forbidden(
      await sent('investment.created', { ...who(), amount: -1 }, 'DEAD'),
      'discard',
      discarding,
    );
  });

  test('of somebody else: discarded', async () => {
    const investmentExternalId = v7();
    await running((await make.user(world.db)).id, investmentExternalId);
    const id = await sent('profit.distributed', { investmentExternalId, amount: 900 }, 'DEAD');
    await post(id, 'discard', discarding).expect(200);
  });

  test.each([
    ['no JSON', '{'],
    ['a number that is not finite', '{"data":{"note":1e999999}}'],
    ['depth that another field replaces', `{"data":{"x":${'['.repeat(60_000)}${']'.repeat(60_000)},"x":1}}`],
  ])('whose text nobody can read, %s: it may be about anybody', async (_, body) => {
    const id = v7();
    const report = { id, kind: 'INVESTMENT', provider: provider.code, externalEventId: id } as const;
    const text = { type: 'profit.distributed', body, bodyHash: 'x', known: false, at: new Date() };
    await storeWebhookEvent(world.db, { ...report, ...text });
    expect(await inTransaction(world.db, (tx) => isAboutUser(tx, id, admin.id))).toBe(true);
  });
});

describe('a report on an investment that is not known cannot be confirmed', () => {
  const refused = async (id: string): Promise<void> => {
    const { body } = await post(id, 'replay', { confirm: true }).expect(400);
    expect(body.error).toMatchObject({
      code: 'NOT_REPLAYABLE',
      message: 'This event cannot be confirmed before the investment that it is about is known here.',
    });
    expect(await firstRow(world.db, 'SELECT confirmed_at FROM webhook_events WHERE id = $1', [id])).toEqual({
      confirmedAt: null,
    });
    expect(await decisions(id)).toEqual([]);
  };

  test('while it waits, and DEAD after it waited in vain, which a plain replay tries again', async () => {
    const id = await sent('profit.distributed', { investmentExternalId: v7(), amount: 900 }, 'WAITING');
    await refused(id);
    const other = await sent('investment.withdrawn', { investmentExternalId: v7(), amount: 9 }, 'WAITING');
    await execute(world.db, `UPDATE webhook_events SET status = 'DEAD', processed_at = now() WHERE id = $1`, [
      other,
    ]);
    await refused(other);
    await post(other, 'replay', {}).expect(200);
  });

  test('one that would make an investment waits for its user, by id or email address', async () => {
    const { strategyCode } = await make.strategy(world.db, { providerCode: provider.code });
    const data = { strategyCode, amount: 500, currency: 'USD', startDate: '2026-06-01' };
    for (const who of [{ userId: v7() }, { email: 'nobody@example.com' }])
      await refused(await sent('investment.created', { ...data, ...who }, 'WAITING'));
  });

  test('one that is DEAD and names a user is confirmed', async () => {
    const { email } = await make.user(world.db);
    const id = await sent('investment.created', { email, amount: -1 }, 'DEAD');
    await post(id, 'replay', { confirm: true }).expect(200);
  });

  test('one that waits although its investment is known, for its payout is too small, is confirmed', async () => {
    const investmentExternalId = v7();
    await running((await make.user(world.db)).id, investmentExternalId);
    const id = await sent(
      'investment.withdrawn',
      { investmentExternalId, amount: 100, status: 'WITHDRAWN' },
      'WAITING',
    );
    await post(id, 'replay', { confirm: true }).expect(200);
    expect(
      await firstRow(
        world.db,
        'SELECT confirmed_at IS NOT NULL AS is_confirmed FROM webhook_events WHERE id = $1',
        [id],
      ),
    ).toEqual({ isConfirmed: true });
  });
});
