import { execute, rows } from '../../../db/sql/query';
import { queuedVerifications, queueStats, type QueueFilter } from '../../../db/kyc/review/queue.reads';
import { make } from '../../support/builders/make';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const QUEUED = 5_000;
let reviewerId: string;

/** Far more decided verifications than queued ones, and few of a reviewer's own, as in earnest. */
beforeAll(async () => {
  reviewerId = (await make.admin(own.db)).id;
  await execute(
    own.db,
    `INSERT INTO users (id, region, email, password_hash, status, roles, first_name, last_name, created_at, updated_at)
     SELECT md5('u' || n)::uuid, 'EU', 'many' || n || '@example.com', 'x', 'ACTIVE', ARRAY['USER'], 'Ada', 'Lovelace',
       now(), now() FROM generate_series(1, ${QUEUED}) n`,
  );
  await execute(
    own.db,
    `INSERT INTO kyc_verifications (id, user_id, status, requested_level, level, personal_info, first_submitted_at,
       submitted_at, decided_at, ended_at, created_at, updated_at)
     SELECT gen_random_uuid(), md5('u' || 1 + n % ${QUEUED})::uuid, 'SUPERSEDED', 'STANDARD', 'STANDARD',
       decode(repeat('ab', 600), 'hex'), at, at, at + interval '1 day', now(), at, at
     FROM (SELECT n, now() - n % 1800 * interval '1 day' AS at FROM generate_series(1, ${QUEUED * 8}) n) AS days`,
  );
  await execute(
    own.db,
    `INSERT INTO kyc_verifications (id, user_id, status, requested_level, personal_info, priority, first_submitted_at,
       submitted_at, due_at, assigned_to, claimed_at, claim_lapses_at, created_at, updated_at)
     SELECT gen_random_uuid(), md5('u' || n)::uuid, CASE n % 500 WHEN 0 THEN 'UNDER_REVIEW' ELSE 'SUBMITTED' END,
       'STANDARD', decode(repeat('ab', 600), 'hex'), (ARRAY['HIGH', 'NORMAL', 'NORMAL', 'LOW'])[1 + n % 4], at, at, now(),
       CASE n % 500 WHEN 0 THEN $1::uuid END, CASE n % 500 WHEN 0 THEN at END,
       CASE n % 500 WHEN 0 THEN now() END, at, at
     FROM (SELECT n, now() - n * interval '1 minute' AS at FROM generate_series(1, ${QUEUED}) n) AS minutes`,
    [reviewerId],
  );
  await vacuum(own.owner, 'kyc_verifications', 'users');
});

/** The plan of the one statement that `read` sends. */
async function planOf(read: () => Promise<unknown>): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await read();
  expect(sent).toHaveBeenCalledTimes(1);
  const [text, { bind }] = sent.mock.calls[0] as unknown as [string, { bind: unknown[] }];
  sent.mockRestore();
  const lines = await rows<{ 'QUERY PLAN': string }>(own.db, `EXPLAIN ${text}`, bind);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

const listed = (filter: QueueFilter, sortBy: 'priority' | 'submittedAt', offset = 0): Promise<string> => {
  const sortOrder = sortBy === 'priority' ? 'desc' : 'asc';
  return planOf(() => queuedVerifications(own.db, filter, { sortBy, sortOrder, limit: 50, offset }));
};
const READS_ALL = /Seq Scan on kyc_verifications|Sort[^\n]*\n[^\n]*\n[^\n]*Scan on kyc_verifications/;

test.each([
  ['the most urgent', {}, 0],
  ['those that nobody has claimed', { status: 'SUBMITTED' }, 0],
  ['a later page', {}, 100],
] as const)('%s: read from the index in its order', async (_name, filter, offset) => {
  const plan = await listed(filter, 'priority', offset);
  expect(plan).toContain('Index Scan using kyc_verifications_urgency_idx');
  expect(plan).not.toMatch(READS_ALL);
});

test('the longest waiting: read from the index in its order', async () => {
  const plan = await listed({}, 'submittedAt');
  expect(plan).toContain('Index Scan using kyc_verifications_queue_idx');
  expect(plan).not.toMatch(READS_ALL);
});

test('a reviewer’s own: only these are read', async () => {
  expect(await listed({ assignedTo: reviewerId }, 'priority')).toMatch(/kyc_verifications_assigned_idx/);
});

test('the statistics read indexes, not the verifications', async () => {
  const plan = await planOf(() => queueStats(own.db, { assignedTo: reviewerId }));
  expect(plan).toContain('Index Only Scan using kyc_verifications_urgency_idx');
  expect(plan).toContain('Index Only Scan using kyc_verifications_decided_idx');
  expect(plan).not.toMatch(/Seq Scan|Bitmap/);
});
