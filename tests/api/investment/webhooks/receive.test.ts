import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { replaceSecret } from '../../../../db/investment/provider/provider.writes';
import { keysOf } from '../../../../db/sealing/keys-of';
import { startProcesses } from '../../../../workers/start';
import { webhookSweepProcess } from '../../../../workflows/commerce/webhook/webhook-sweep.contract';
import {
  investmentProvider,
  type InvestmentProvider,
} from '../../../support/builders/investing/investment-provider';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { ownCheckedWorld, startWorld } from '../../../support/worlds/world';

let provider: InvestmentProvider;
const lines: string[] = [];

const world = ownCheckedWorld({ lines });
beforeAll(async () => {
  provider = await investmentProvider(world);
});

const alerts = (): { provider: string }[] =>
  lines
    .filter((line) => line.includes('WEBHOOK_ID_REUSED'))
    .map((line) => JSON.parse(line) as { provider: string });

/** A strategy of the provider, a verified user, and the report of what they have put in. */
async function invested(amount = 1_000) {
  const strategy = await make.strategy(world.db, { providerCode: provider.code });
  const user = await make.user(world.db, { kycLevel: 'STANDARD' });
  await make.signedIn(world.db, strategy.providerCode, user.id);
  const externalId = v7();
  const created = {
    ...{ externalId, userId: user.id, strategyCode: strategy.strategyCode, amount },
    ...{ currency: 'USD', startDate: '2026-06-01', maturityDate: '2036-06-01' },
  };
  return { strategy, user, externalId, created };
}

describe('a signed report', () => {
  test('is stored, answered 202 and applied; its investment runs, with a process of its own', async () => {
    const { created, externalId, user } = await invested();
    const sent = { id: v7(), timestamp: new Date().toISOString() };
    const { id } = sent;
    const answer = await provider.send('investment.created', created, sent).expect(202);
    expect(answer.body.data).toEqual({ eventId: expect.any(String) as string, status: 'ACCEPTED' });
    await provider.becomes(id, 'PROCESSED');
    const [participation] = await rows<{ id: string }>(
      world.db,
      `SELECT id, status, origin, user_id, payment_method FROM participations WHERE external_id = $1`,
      [externalId],
    );
    expect(participation).toMatchObject({ status: 'ACTIVE', origin: 'PROVIDER', userId: user.id });
    expect(
      await firstRow(
        world.db,
        'SELECT subject, user_id, order_id FROM webhook_events WHERE external_event_id = $1',
        [id],
      ),
    ).toEqual({ subject: externalId, userId: user.id, orderId: null });
    await eventually(async () => {
      const process = world.temporal.workflow.getHandle(`participation:${participation!.id}`);
      expect((await process.describe()).status.name).toBe('RUNNING');
    });
    expect(
      await firstRow(world.db, `SELECT type FROM domain_events WHERE entity_id = $1`, [participation!.id]),
    ).toEqual({ type: 'investment.created' });
    const again = await provider.send('investment.created', created, sent).expect(200);
    expect(again.body.data).toEqual({ ...answer.body.data, status: 'DUPLICATE' });
  });

  test('sent 50 times at once is one report with one effect: 202 once, 200 else', async () => {
    const { created, externalId } = await invested();
    await provider.send('investment.created', created).expect(202);
    const [id, timestamp] = [v7(), new Date().toISOString()];
    const profit = { externalId: v7(), investmentExternalId: externalId, amount: 10 };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => provider.send('profit.distributed', profit, { id, timestamp })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(49).fill(200), 202]);
    expect(new Set(answers.map(({ body }) => body.data.eventId as string)).size).toBe(1);
    await provider.becomes(id, 'PROCESSED');
    expect(
      await rows(
        world.db,
        `SELECT t.amount_minor, p.earned_minor FROM investment_transactions t
         JOIN participations p ON p.id = t.participation_id WHERE t.external_id = $1`,
        [profit.externalId],
      ),
    ).toEqual([{ amountMinor: 10_00, earnedMinor: 10_00 }]);
    expect(alerts()).toEqual([]);
  });

  test('of an id that comes again with another body: the first stays, and an alert is logged', async () => {
    const { created, externalId } = await invested();
    const id = v7();
    await provider.send('investment.created', created, { id }).expect(202);
    await provider.send('investment.created', { ...created, amount: 2_000 }, { id }).expect(200);
    await provider.becomes(id, 'PROCESSED');
    const row = await firstRow(world.db, 'SELECT amount_minor FROM participations WHERE external_id = $1', [
      externalId,
    ]);
    expect(row).toEqual({ amountMinor: 1_000_00 });
    expect(alerts()).toMatchObject([{ provider: provider.code }]);
  });

  test('that comes before its investment waits, and is woken by it', async () => {
    const { created, externalId } = await invested();
    const [early, id] = [v7(), v7()];
    const withdrawn = { externalId: v7(), investmentExternalId: externalId, amount: 1_000 };
    await provider.send('investment.withdrawn', withdrawn, { id: early }).expect(202);
    expect(await provider.becomes(early, 'WAITING')).toMatchObject({
      error: `It is about the investment ${externalId}, which its provider has not reported.`,
    });
    await provider.send('investment.created', created, { id }).expect(202);
    await provider.becomes(early, 'PROCESSED');
    const row = await firstRow(world.db, 'SELECT status FROM participations WHERE external_id = $1', [
      externalId,
    ]);
    expect(row).toEqual({ status: 'WITHDRAWN' });
  });

  test('of a type that is not known is kept as IGNORED, without a process', async () => {
    const id = v7();
    await provider.send('investment.renamed', {}, { id }).expect(202);
    expect(await provider.stored(id)).toMatchObject({ status: 'IGNORED' });
  });

  test('that was stored and never started is started by the sweep', async () => {
    const { created, externalId } = await invested();
    const id = v7();
    await world.rest();
    await provider.send('investment.created', created, { id }).expect(202);
    await eventually(async () => expect((await provider.stored(id))?.startedAt).not.toBeNull());
    const { id: eventId } = (await provider.stored(id))!;
    await world.temporal.workflow
      .getHandle(`webhook:${provider.code}:${eventId}`)
      .terminate('as if it never ran');
    await execute(
      world.db,
      `UPDATE webhook_events SET started_at = NULL, received_at = received_at - interval '1 minute'
       WHERE external_event_id = $1`,
      [id],
    );
    await world.work();
    await startProcesses(world.temporal)(webhookSweepProcess, {});
    await provider.becomes(id, 'PROCESSED');
    expect(
      await firstRow(world.db, 'SELECT status FROM participations WHERE external_id = $1', [externalId]),
    ).toEqual({ status: 'ACTIVE' });
  });
});

describe('is refused and leaves nothing behind', () => {
  const refused = async (sending: PromiseLike<{ status: number; body: { error?: unknown } }>) => {
    const count = () => firstRow<{ n: number }>(world.db, 'SELECT count(*)::int AS n FROM webhook_events');
    const before = await count();
    const { status, body } = await sending;
    expect(await count()).toEqual(before);
    return { status, error: body.error as { code: string; details?: Record<string, unknown> } };
  };

  test('an unknown provider, and one that is not active: 404 PROVIDER_NOT_FOUND', async () => {
    const idle = await make.provider(world.db, { isActive: false });
    for (const code of ['nobody', idle.code, 'sandbox', '__proto__', 'A']) {
      const sending = world.http.post(`/api/v1/investment/webhooks/${code}`).send('{}');
      expect(await refused(sending)).toMatchObject({ status: 404, error: { code: 'PROVIDER_NOT_FOUND' } });
    }
  });

  test('no signature, an old one, one of another provider: 401 INVALID_SIGNATURE', async () => {
    const other = await make.provider(world.db);
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
    for (const sending of [
      provider.send('kyc.synced', {}).unset('webhook-signature'),
      provider.send('kyc.synced', {}, { at: minutesAgo(6) }),
      provider.send('kyc.synced', {}, { at: minutesAgo(-6) }),
      provider.send('kyc.synced', {}, { by: other.webhookSecret }),
    ])
      expect(await refused(sending)).toMatchObject({ status: 401, error: { code: 'INVALID_SIGNATURE' } });
  });

  test('what is no JSON, or has no type: 400 VALIDATION_ERROR', async () => {
    for (const [text, field] of [
      ['{', 'body'],
      ['{}', 'type'],
      ['{"type":""}', 'type'],
    ] as const) {
      const { status, error } = await refused(provider.sendText(text));
      expect({ status, code: error.code, fields: Object.keys(error.details ?? {}) }).toEqual({
        ...{ status: 400, code: 'VALIDATION_ERROR', fields: [field] },
      });
    }
  });

  test.each([
    ['a number that is not finite', '"note":1e999999'],
    ['U+0000 in a field that another of its name replaces', '"x":"\\u0000","x":1'],
    ['depth in such a field', `"x":${'['.repeat(60_000)}${']'.repeat(60_000)},"x":1`],
  ])('what the database cannot read, %s: 400 VALIDATION_ERROR', async (_, field) => {
    for (const type of ['profit.distributed', 'kyc.seen']) {
      const sending = provider.sendText(`{"type":"${type}","data":{"userId":"${v7()}",${field}}}`);
      const { status, error } = await refused(sending);
      expect({ status, code: error.code, fields: Object.keys(error.details ?? {}) }).toEqual({
        ...{ status: 400, code: 'VALIDATION_ERROR', fields: ['body'] },
      });
    }
  });
});

test('a new secret is accepted at once, and the old one for a day', async () => {
  const changing = await investmentProvider(world);
  await changing.send('kyc.seen', {}).expect(202);
  const untilThen = new Date(Date.now() + 86_400_000);
  const secret = await inTransaction(world.db, (tx) =>
    replaceSecret(tx, keysOf(world.db), { code: changing.code, purpose: 'WEBHOOK', untilThen }, new Date()),
  );
  await changing.send('kyc.seen', {}, { by: secret }).expect(202);
  await changing.send('kyc.seen', {}).expect(202);
});

test('the limit of a provider is its own number, counted after the signature', async () => {
  const limited = await startWorld({ variables: { RATE_LIMIT_SCALE: '1' }, worker: false });
  try {
    const narrow = await investmentProvider(limited, { webhooksPerMinute: 3 });
    const wide = await investmentProvider(limited);
    await narrow.send('a', {}, { by: wide.secret }).expect(401);
    for (let sent = 0; sent < 3; sent++) await narrow.send('a', {}).expect(202);
    const over = await narrow.send('a', {}).expect(429);
    expect([over.headers['x-ratelimit-limit'], over.body.error.code]).toEqual(['3', 'RATE_LIMIT_EXCEEDED']);
    await wide.send('a', {}).expect(202);
  } finally {
    await limited.teardown();
  }
});
