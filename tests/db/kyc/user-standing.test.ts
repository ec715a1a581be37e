import { buyerOf } from '../../../db/commerce/checkout/buyer.reads';
import { approvedVerification } from '../../../db/kyc/verification/verification.reads';
import { changedStandings } from '../../../db/investment/kyc-push/kyc-push.reads';
import { lockLevel } from '../../../db/kyc/standing/user-standing.writes';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { levelMissingToInvest } from '../../../workflows/kyc/kyc-gate.rules';
import { requireLevel } from '../../../workflows/kyc/require-level';
import { make } from '../../support/builders/make';
import { held, waiting } from '../../support/checks/held-locks';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const LIMIT_MINOR = 10_000_000;

/** A sum per user, as participations have it. */
beforeAll(async () => {
  await execute(own.owner, `CREATE TABLE invested (user_id uuid NOT NULL, amount_minor bigint NOT NULL)`);
  await execute(own.owner, `GRANT ALL ON invested TO PUBLIC`);
});

const investedBy = async (db: typeof own.db, userId: string): Promise<number> =>
  (await firstRow<{ minor: number }>(
    db,
    `SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM invested WHERE user_id = $1`,
    [userId],
  ))!.minor;

/** Invests as the rule file says: the lock, the sum, the rule, the write. */
const invest = (userId: string, amountMinor: number): Promise<void> =>
  inTransaction(own.db, async (tx) => {
    const level = (await lockLevel(tx, userId))!;
    const investedMinor = await investedBy(tx, userId);
    requireLevel(levelMissingToInvest({ level, investedMinor, amountMinor }, LIMIT_MINOR));
    await execute(tx, `INSERT INTO invested VALUES ($1, $2)`, [userId, amountMinor]);
  });

const outcomesOf = async (work: Promise<void>[]): Promise<string[]> =>
  (await Promise.allSettled(work))
    .map((outcome) => (outcome.status === 'fulfilled' ? 'done' : (outcome.reason as { type: string }).type))
    .sort();

test('two requests at once never pass the limit of STANDARD together', async () => {
  for (let race = 0; race < 20; race++) {
    const { id } = await make.user(own.db, { kycLevel: 'STANDARD' });
    expect(await outcomesOf([invest(id, 6_000_000), invest(id, 5_000_000)])).toEqual([
      'KYC_REQUIRED',
      'done',
    ]);
    expect(await investedBy(own.db, id)).toBeLessThanOrEqual(LIMIT_MINOR);
  }
});

test('those within the limit both go through, and ENHANCED has none', async () => {
  const standard = await make.user(own.db, { kycLevel: 'STANDARD' });
  expect(await outcomesOf([invest(standard.id, 5_000_000), invest(standard.id, 5_000_000)])).toEqual([
    'done',
    'done',
  ]);
  const enhanced = await make.user(own.db, { kycLevel: 'ENHANCED' });
  expect(await outcomesOf([invest(enhanced.id, 9_000_000), invest(enhanced.id, 9_000_000)])).toEqual([
    'done',
    'done',
  ]);
});

test('a request waits for a change of the level under way and obeys it; rows that refer to the user do not wait', async () => {
  const { id } = await make.user(own.db, { kycLevel: 'STANDARD' });
  const change = await held(own.db, `UPDATE users SET kyc_level = 'BASIC' WHERE id = '${id}'`);
  const request = outcomesOf([invest(id, 1)]);
  await waiting(own.db, 1);
  await make.address(own.db, id);
  await change.release();
  expect(await request).toEqual(['KYC_REQUIRED']);
});

describe('a level whose approval is over, before the daily run', () => {
  const approvedUntil = async (level: 'STANDARD' | 'ENHANCED', until: string): Promise<string> => {
    const { id } = await make.user(own.db, { kycLevel: level });
    await execute(
      own.db,
      `UPDATE kyc_verifications SET expires_at = now() + $2::interval WHERE user_id = $1`,
      [id, until],
    );
    return id;
  };
  const levelOf = (userId: string) => inTransaction(own.db, (tx) => lockLevel(tx, userId));
  const levelOfBuyer = async (userId: string, spendsBalance: boolean) =>
    (await buyerOf(own.db, userId, { currency: 'USD', spendsBalance })).kycLevel;

  test.each(['STANDARD', 'ENHANCED'] as const)('%s is BASIC for all that needs more', async (level) => {
    const [over, running] = [await approvedUntil(level, '-1 second'), await approvedUntil(level, '1 minute')];
    expect([await levelOf(over), await levelOfBuyer(over, true)]).toEqual(['BASIC', 'BASIC']);
    expect([await levelOf(running), await levelOfBuyer(running, true)]).toEqual([level, level]);
    expect(await outcomesOf([invest(over, 1)])).toEqual(['KYC_REQUIRED']);
    expect(await outcomesOf([invest(running, 1)])).toEqual(['done']);
  });

  test('a lower approval that runs counts then, and a higher one before all others', async () => {
    const over = await approvedUntil('ENHANCED', '-1 second');
    await make.verified(own.db, over, { level: 'STANDARD' });
    expect([await levelOf(over), await levelOfBuyer(over, true)]).toEqual(['STANDARD', 'STANDARD']);
    expect((await approvedVerification(own.db, over))?.level).toBe('STANDARD');
    const pushed = await changedStandings(own.db, 'any', [over], { limit: 9, refusedBefore: new Date() });
    expect(pushed).toMatchObject([{ userId: over, kycLevel: 'STANDARD', kycStatus: 'APPROVED' }]);
    const running = await approvedUntil('ENHANCED', '1 minute');
    await make.verified(own.db, running, { level: 'STANDARD', expiresAt: new Date(Date.now() - 1_000) });
    expect([await levelOf(running), await levelOfBuyer(running, true)]).toEqual(['ENHANCED', 'ENHANCED']);
    expect((await approvedVerification(own.db, running))?.level).toBe('ENHANCED');
  });

  test('NONE, BASIC and an account that is gone stay what they are', async () => {
    for (const kycLevel of ['NONE', 'BASIC'] as const) {
      const { id } = await make.user(own.db, { kycLevel });
      expect([await levelOf(id), await levelOfBuyer(id, true)]).toEqual([kycLevel, kycLevel]);
    }
    expect(await levelOf('0193b1f6-0000-7000-8000-000000000009')).toBeNull();
  });

  test('a request that waited for a new approval has its level', async () => {
    const id = await approvedUntil('STANDARD', '-1 second');
    const renewal = await held(
      own.db,
      `WITH u AS (UPDATE users SET updated_at = now() WHERE id = '${id}')
       UPDATE kyc_verifications SET expires_at = now() + interval '1 day' WHERE user_id = '${id}'`,
    );
    const request = outcomesOf([invest(id, 1)]);
    await waiting(own.db, 1);
    await renewal.release();
    expect(await request).toEqual(['done']);
  });

  test.each([
    { who: 'a plain order', spendsBalance: false, level: 'STANDARD' as const, looks: 'never' },
    { who: 'the balance of BASIC', spendsBalance: true, level: 'BASIC' as const, looks: 'not executed' },
    {
      who: 'the balance of STANDARD',
      spendsBalance: true,
      level: 'STANDARD' as const,
      looks: 'by its index',
    },
  ])('what one statement costs: $who', async ({ spendsBalance, level, looks }) => {
    const { id } = await make.user(own.db, { kycLevel: level });
    const plan = await inTransaction(own.db, async (tx) => {
      const sent = jest.spyOn(own.db.sequelize, 'query');
      await buyerOf(tx, id, { currency: 'USD', spendsBalance });
      expect(sent).toHaveBeenCalledTimes(1);
      const text = sent.mock.calls[0]![0] as string;
      sent.mockRestore();
      await execute(tx, 'SET LOCAL enable_seqscan = off');
      const lines = await rows<{ 'QUERY PLAN': string }>(
        tx,
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${text}`,
        [id, 'USD'],
      );
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    });
    if (looks === 'never') expect(plan).not.toContain('kyc_verifications');
    else {
      const looked = /Scan using (kyc_verifications_one_approved_key|kyc_verifications_expiry_idx) .*/.exec(
        plan,
      )?.[0];
      expect(looked?.includes('never executed')).toBe(looks === 'not executed');
    }
  });
});
