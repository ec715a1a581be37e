import {
  expireVerifications,
  kycExpiryWork,
  tellOfExpiries,
} from '../../../activities/kyc/expiry/expire-verifications';
import { eachRow } from '../../../activities/kyc/each-row';
import { brokenInvariants } from '../../../db/invariants/broken.reads';
import { policyFrom } from '../../../db/policy/config';
import { connect } from '../../../db/sql/connection';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { KycStatus } from '../../../workflows/kyc/kyc.rules';
import { make } from '../../support/builders/make';
import { mailsTo } from '../../support/checks/mail';
import { ownDatabase } from '../../support/servers/database';
import { asActivity } from '../../support/servers/run-activity';
import { takeTurn } from '../administration/job/take-turn';

const own = ownDatabase();
const DAY_MS = 86_400_000;

/** The steps of the job, on a day after (or before) today; each answers the number of changes. */
function on(day: number, batch?: number) {
  const at = new Date(Date.now() + day * DAY_MS);
  const deps = { longDb: own.db, policy: policyFrom({}), ...(batch && { batch }) };
  const failed: string[] = [];
  const step = (work: typeof expireVerifications) => async (): Promise<number> => {
    const ended = await asActivity(work)(deps, at, new AbortController().signal);
    failed.push(...ended.failed);
    return ended.changed;
  };
  const run = () => asActivity(() => takeTurn(own.db, kycExpiryWork(deps), { at: at.toISOString() }))();
  return { at: at.toISOString(), failed, expire: step(expireVerifications), tell: step(tellOfExpiries), run };
}

/** A user whose approval ends in so many days. */
async function verifiedFor(days: number, level: 'STANDARD' | 'ENHANCED' = 'STANDARD') {
  const user = await make.user(own.db, { kycLevel: level });
  const [found] = await rows<{ id: string }>(
    own.db,
    `UPDATE kyc_verifications SET expires_at = now() + $2 * interval '1 day', created_at = now() - interval '2 years'
      WHERE user_id = $1 RETURNING id`,
    [user.id, days],
  );
  return { ...user, kycId: found!.id };
}

const standing = async (userId: string) =>
  (await firstRow<{ kycLevel: string; kycStatus: KycStatus }>(
    own.db,
    `SELECT kyc_level, kyc_status FROM users WHERE id = $1`,
    [userId],
  ))!;
const verification = (id: string) =>
  firstRow<{ status: string; endedAt: Date | null; noticeSentAt: Date | null }>(
    own.db,
    `SELECT status, ended_at, notice_sent_at FROM kyc_verifications WHERE id = $1`,
    [id],
  );
const history = async (kycId: string): Promise<string[]> =>
  (
    await rows<{ action: string }>(
      own.db,
      `SELECT action FROM kyc_history WHERE kyc_id = $1 AND performed_by IS NULL ORDER BY at, id`,
      [kycId],
    )
  ).map(({ action }) => action);
const announced = async (kycId: string): Promise<number> =>
  (
    await rows(own.db, `SELECT 1 AS one FROM domain_events WHERE type = 'kyc.expired' AND entity_id = $1`, [
      kycId,
    ])
  ).length;
const subjects = async ({ email }: { email: string }): Promise<string[]> =>
  (await mailsTo(own.db, email)).map(({ subject }) => subject);

/** Leaves no verification in force for the next test. */
afterEach(async () => {
  expect(await brokenInvariants(own.db, { patienceSeconds: 86_400 })).toEqual([]);
  await on(5_000).expire();
});

describe('the notice', () => {
  test('is given once, 30 days ahead, and changes nothing else', async () => {
    const [ada, bob] = [await verifiedFor(29.9), await verifiedFor(30.1)];
    const today = on(0);
    expect([await today.tell(), await today.tell(), await on(0).tell()]).toEqual([1, 0, 0]);
    expect(await verification(ada.kycId)).toEqual({
      status: 'APPROVED',
      endedAt: null,
      noticeSentAt: new Date(today.at),
    });
    expect(await history(ada.kycId)).toEqual(['STARTED', 'SUBMITTED', 'APPROVED', 'EXPIRY_NOTICE_SENT']);
    expect(await standing(ada.id)).toEqual({ kycLevel: 'STANDARD', kycStatus: 'APPROVED' });
    expect(await subjects(ada)).toEqual([expect.stringMatching(/^Your identity verification ends on /)]);
    expect(await subjects(bob)).toEqual([]);
    expect([await on(1).tell(), await subjects(bob)]).toEqual([1, [expect.stringMatching(/ends on/)]]);
  });

  test('is made up for after missed days, and is left out when the time is over', async () => {
    const [late, over] = [await verifiedFor(3), await verifiedFor(-1)];
    expect(await on(0).tell()).toBe(1);
    expect(await subjects(late)).toHaveLength(1);
    expect(await on(0).expire()).toBe(1);
    expect(await subjects(over)).toEqual(['Your identity verification has expired']);
    expect(await history(over.kycId)).not.toContain('EXPIRY_NOTICE_SENT');
  });

  test('waits while an account is banned', async () => {
    const user = await verifiedFor(20);
    await execute(own.db, `UPDATE users SET status = 'BANNED' WHERE id = $1`, [user.id]);
    expect([await on(0).tell(), await subjects(user)]).toEqual([0, []]);
    await execute(own.db, `UPDATE users SET status = 'ACTIVE' WHERE id = $1`, [user.id]);
    expect([await on(1).tell(), (await subjects(user)).length]).toEqual([1, 1]);
  });
});

describe('the end', () => {
  test('takes the level to BASIC and the status to NOT_STARTED, once', async () => {
    const [ada, bob] = [await verifiedFor(0.1, 'ENHANCED'), await verifiedFor(1.1)];
    const tomorrow = on(1);
    expect([await tomorrow.expire(), await tomorrow.expire(), await on(1).expire()]).toEqual([1, 0, 0]);
    expect(await verification(ada.kycId)).toMatchObject({
      status: 'EXPIRED',
      endedAt: new Date(tomorrow.at),
    });
    expect(await standing(ada.id)).toEqual({ kycLevel: 'BASIC', kycStatus: 'NOT_STARTED' });
    expect(await history(ada.kycId)).toEqual(['STARTED', 'SUBMITTED', 'APPROVED', 'EXPIRED']);
    expect(await announced(ada.kycId)).toBe(1);
    const [mail] = await mailsTo(own.db, ada.email);
    expect(mail).toMatchObject({ reference: `kyc:${ada.kycId}:expired` });
    expect(mail?.text).toContain('level ENHANCED');
    expect(await standing(bob.id)).toEqual({ kycLevel: 'STANDARD', kycStatus: 'APPROVED' });
  });

  test.each(['DOCUMENTS_PENDING', 'SUBMITTED', 'REJECTED'] as const)(
    'leaves the status of a newer verification: %s',
    async (status) => {
      const user = await verifiedFor(-0.1);
      const { id } = await make.verification(own.db, { userId: user.id, status });
      for (const action of status === 'DOCUMENTS_PENDING' ? ['STARTED'] : ['STARTED', 'SUBMITTED'])
        await execute(
          own.db,
          `INSERT INTO kyc_history VALUES (gen_random_uuid(), $1, $2, NULL, NULL, now())`,
          [id, action],
        );
      await execute(own.db, `UPDATE users SET kyc_status = $2 WHERE id = $1`, [user.id, status]);
      expect(await on(0).expire()).toBe(1);
      expect(await standing(user.id)).toEqual({ kycLevel: 'BASIC', kycStatus: status });
      const [mail] = await mailsTo(own.db, user.email);
      expect(mail?.text.includes('You have begun a new verification.')).toBe(status !== 'REJECTED');
      await withoutVerification(id, user.id);
    },
  );

  test('of the higher of two takes the level to that of the other, and then to BASIC', async () => {
    const user = await verifiedFor(0.1, 'ENHANCED');
    const lower = await make.verified(own.db, user.id, { expiresAt: new Date(Date.now() + 1.1 * DAY_MS) });
    const tomorrow = on(1);
    expect([await on(0).tell(), await tomorrow.expire()]).toEqual([2, 1]);
    expect(await standing(user.id)).toEqual({ kycLevel: 'STANDARD', kycStatus: 'APPROVED' });
    const [notice, second, end] = await mailsTo(own.db, user.email);
    expect(notice?.text).toContain('Your level falls to STANDARD if you do not');
    expect(second?.text).toContain('Your level falls to BASIC if you do not');
    expect(end?.text).toContain('Your account now has level STANDARD');
    expect([await tomorrow.tell(), await on(2).expire()]).toEqual([0, 1]);
    expect(await standing(user.id)).toEqual({ kycLevel: 'BASIC', kycStatus: 'NOT_STARTED' });
    expect((await mailsTo(own.db, user.email)).map(({ reference }) => reference)).toEqual([
      ...[`kyc:${user.kycId}:expiring`, `kyc:${lower}:expiring`],
      ...[`kyc:${user.kycId}:expired`, `kyc:${lower}:expired`],
    ]);
  });

  test('of the lower of two changes no level, and nobody is written to', async () => {
    const user = await verifiedFor(100, 'ENHANCED');
    const lower = await make.verified(own.db, user.id, { expiresAt: new Date(Date.now() + DAY_MS) });
    expect([await on(0).tell(), await on(2).expire()]).toEqual([0, 1]);
    expect(await verification(lower)).toMatchObject({ status: 'EXPIRED' });
    expect(await standing(user.id)).toEqual({ kycLevel: 'ENHANCED', kycStatus: 'APPROVED' });
    expect(await subjects(user)).toEqual([]);
  });

  test('comes for a banned account too, without a mail', async () => {
    const user = await verifiedFor(-2);
    await execute(own.db, `UPDATE users SET status = 'BANNED' WHERE id = $1`, [user.id]);
    expect([await on(0).expire(), await subjects(user)]).toEqual([1, []]);
    expect(await standing(user.id)).toEqual({ kycLevel: 'BASIC', kycStatus: 'NOT_STARTED' });
  });

  /** Removes a newer verification, whose decision is in no audit trail. */
  async function withoutVerification(id: string, userId: string): Promise<void> {
    await inTransaction(own.owner, async (tx) => {
      for (const table of ['kyc_verification_documents', 'kyc_history'])
        await execute(tx, `DELETE FROM ${table} WHERE kyc_id = $1`, [id]);
      await execute(tx, `DELETE FROM kyc_verifications WHERE id = $1`, [id]);
      await execute(tx, `UPDATE users SET kyc_status = 'NOT_STARTED' WHERE id = $1`, [userId]);
    });
  }
});

describe('a run', () => {
  test('goes through all batches by the order of expiry, and past those that it leaves', async () => {
    const people = [];
    for (const days of [-5, -4, -3, -2, -1]) people.push(await verifiedFor(days));
    expect(await on(0, 2).expire()).toBe(5);
    for (const { id } of people) expect(await standing(id)).toMatchObject({ kycLevel: 'BASIC' });
    const ending = [];
    for (const days of [5, 5, 5]) ending.push(await verifiedFor(days));
    await execute(
      own.db,
      `UPDATE kyc_verifications SET expires_at = (SELECT max(expires_at) FROM kyc_verifications
       WHERE status = 'APPROVED') WHERE status = 'APPROVED'`,
    );
    expect(await on(0, 1).tell()).toBe(3);
    for (const user of ending) expect(await subjects(user)).toHaveLength(1);
  });

  test.each(['expire', 'tell'] as const)(
    '%s: a verification that fails at any line stops no other, is named, and is not changed; the next run does it once',
    async (step) => {
      const days = step === 'tell' ? [5, 4, 6] : [-2, -3, -1];
      const [second, first, third] = [
        await verifiedFor(days[0]!),
        await verifiedFor(days[1]!),
        await verifiedFor(days[2]!),
      ];
      const tables = ['users', 'kyc_verifications', 'kyc_history', 'domain_events', 'outbox_messages'];
      for (const table of step === 'tell' ? [tables[1]!, tables[2]!, tables[4]!] : tables) {
        const before = [
          await standing(second.id),
          await verification(second.kycId),
          await history(second.kycId),
        ];
        await failingFor(table, second);
        const run = on(0, 2);
        await run[step]();
        expect(run.failed).toEqual([second.kycId]);
        await execute(own.owner, `DROP TRIGGER killed ON ${table}`);
        expect([
          await standing(second.id),
          await verification(second.kycId),
          await history(second.kycId),
        ]).toEqual(before);
        expect([await subjects(first), await subjects(second), await subjects(third)]).toEqual([
          [expect.any(String)],
          [],
          [expect.any(String)],
        ]);
      }
      expect([await on(0)[step](), await on(0)[step]()]).toEqual([1, 0]);
      expect([await subjects(first), await subjects(second)]).toEqual([
        [expect.any(String)],
        [expect.any(String)],
      ]);
    },
  );

  test('ends what is over, then tells of what ends soon, and says how many', async () => {
    for (const days of [-2, -1]) await verifiedFor(days);
    await verifiedFor(5);
    const words = 'Verifications that expired: 2; users told that theirs ends soon: 1';
    expect(await on(0, 1).run()).toEqual({ isDone: true, done: 3, words });
    expect(await on(0).run()).toMatchObject({ done: 0 });
  });

  test('goes on past verifications that cannot be changed, in both steps, and then fails for good with their ids', async () => {
    const over = await verifiedFor(-2);
    const [other, ending] = [await verifiedFor(-1), await verifiedFor(5)];
    await failingFor('kyc_history', over);
    const failure: unknown = await on(0)
      .run()
      .catch((error: unknown) => error);
    await execute(own.owner, 'DROP TRIGGER killed ON kyc_history');
    expect(failure).toMatchObject({
      message: `Verifications that could not be changed: ${over.kycId}`,
      nonRetryable: true,
    });
    expect(await verification(other.kycId)).toMatchObject({ status: 'EXPIRED' });
    expect(await subjects(ending)).toHaveLength(1);
    expect(await on(0).run()).toMatchObject({ done: 1 });
  });

  test('ends at once when the database is away, so that it is tried again as a whole', async () => {
    const away = connect({ DATABASE_URL: own.url }, 'test');
    await away.sequelize.close();
    const work = jest.fn(() => Promise.reject(new Error('away')));
    const run = asActivity(() => eachRow(['a', 'b'], { db: away, idOf: String, signal: undefined }, work));
    await expect(run()).rejects.toThrow();
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('two at once do everything once', async () => {
    const people = [];
    for (const days of [-3, -2, -1]) people.push(await verifiedFor(days));
    const [one, other] = await Promise.all([on(0).expire(), on(0).expire()]);
    expect(one + other).toBe(3);
    for (const user of people) {
      expect(await subjects(user)).toHaveLength(1);
      expect(await announced(user.kycId)).toBe(1);
    }
  });

  /** Makes every statement on this table fail that is about this user. */
  async function failingFor(
    table: string,
    { id, email, kycId }: { id: string; email: string; kycId: string },
  ): Promise<void> {
    await execute(
      own.owner,
      `CREATE OR REPLACE FUNCTION killed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
         IF to_jsonb(NEW)::text ~ ''${id}|${email}|${kycId}'' THEN RAISE EXCEPTION ''killed here''; END IF;
         RETURN NEW; END'`,
    );
    await execute(
      own.owner,
      `CREATE TRIGGER killed BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION killed()`,
    );
  }
});
