import { z } from 'zod';
import { queuedVerifications, queueStats } from '../../../../../db/kyc/review/queue.reads';
import { execute } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { documentIn, removeCases, verificationIn } from '../cases';

let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld({ worker: false });
});
beforeEach(() => removeCases(desk.world));
afterAll(() => desk.world.teardown());

const Item = z.strictObject({
  id: z.uuid(),
  user: z.strictObject({ id: z.uuid(), email: z.string(), name: z.string() }),
  status: z.enum(['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO']),
  level: z.enum(['STANDARD', 'ENHANCED']),
  priority: z.enum(['HIGH', 'NORMAL', 'LOW']),
  submittedAt: z.iso.datetime(),
  dueAt: z.iso.datetime(),
  assignedTo: z.uuid().nullable(),
  assignedToEmail: z.string().nullable(),
  documentsCount: z.int(),
  waitingTime: z.number(),
});
const Stats = z.strictObject({
  pending: z.int(),
  underReview: z.int(),
  needsInfo: z.int(),
  averageProcessingTime: z.number(),
});
const Queue = z.strictObject({ submissions: z.array(Item), stats: Stats });

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

async function queue(query = '') {
  const { status, body } = await desk.ask('get', `/admin/kyc/queue?${query}`);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return {
    ...Queue.parse(body.data),
    pagination: body.meta.pagination as { total: number; hasNext: boolean },
  };
}
const idsOf = async (query = '') => (await queue(query)).submissions.map(({ id }) => id);

/** One of each status that waits, and one of each that does not. */
async function filledQueue() {
  const { world, admin } = desk;
  const normal = await verificationIn(world, { submittedAt: hoursAgo(30) });
  const high = await verificationIn(world, { priority: 'HIGH', submittedAt: hoursAgo(2) });
  const low = await verificationIn(world, { priority: 'LOW', submittedAt: hoursAgo(90) });
  const claimed = await verificationIn(world, {
    ...{ status: 'UNDER_REVIEW', assignedTo: admin.id, submittedAt: hoursAgo(20) },
  });
  const asked = await verificationIn(world, { status: 'NEEDS_INFO', submittedAt: hoursAgo(50) });
  for (const status of ['DOCUMENTS_PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'WITHDRAWN'] as const)
    await verificationIn(world, { status, submittedAt: hoursAgo(10), decidedAt: hoursAgo(10) });
  const [n, h, l, c, a] = [normal, high, low, claimed, asked].map(({ id }) => id) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return { normal: n, high: h, low: l, claimed: c, asked: a };
}

describe('GET /admin/kyc/queue', () => {
  test('the most urgent first, then the longest waiting; nobody else is in it', async () => {
    const { normal, high, low, claimed, asked } = await filledQueue();
    expect(await idsOf()).toEqual([high, asked, normal, claimed, low]);
    expect(await idsOf('sortOrder=asc')).toEqual([low, asked, normal, claimed, high]);
    expect(await idsOf('sortBy=submittedAt')).toEqual([low, asked, normal, claimed, high]);
    expect(await idsOf('sortBy=submittedAt&sortOrder=desc')).toEqual([high, claimed, normal, asked, low]);
  });

  test('filters by status, priority and reviewer, together too', async () => {
    const { normal, high, low, claimed, asked } = await filledQueue();
    expect(await idsOf('status=SUBMITTED')).toEqual([high, normal, low]);
    expect(await idsOf('status=UNDER_REVIEW')).toEqual([claimed]);
    expect(await idsOf('status=NEEDS_INFO')).toEqual([asked]);
    expect(await idsOf('priority=LOW')).toEqual([low]);
    expect(await idsOf('priority=NORMAL&status=SUBMITTED')).toEqual([normal]);
    expect(await idsOf('assignedTo=me')).toEqual([claimed]);
    expect(await idsOf(`assignedTo=${desk.admin.id}`)).toEqual([claimed]);
    expect(await idsOf(`assignedTo=${desk.superAdmin.id}`)).toEqual([]);
  });

  test('shows who waits for what, since when, and who has it', async () => {
    const user = await make.user(desk.world.db, { firstName: 'Grace', lastName: 'Hopper' });
    const submittedAt = hoursAgo(20.26);
    const made = await verificationIn(desk.world, {
      ...{ user, status: 'UNDER_REVIEW', assignedTo: desk.admin.id, submittedAt },
      ...{ requestedLevel: 'ENHANCED', priority: 'HIGH' },
    });
    await documentIn(desk.world, made);
    await documentIn(desk.world, made, { type: 'SELFIE' });
    const { submissions, pagination } = await queue();
    expect(submissions).toEqual([
      {
        id: made.id,
        user: { id: user.id, email: user.email, name: 'Grace Hopper' },
        status: 'UNDER_REVIEW',
        level: 'ENHANCED',
        priority: 'HIGH',
        submittedAt: submittedAt.toISOString(),
        dueAt: new Date(submittedAt.getTime() + 48 * HOUR_MS).toISOString(),
        assignedTo: desk.admin.id,
        assignedToEmail: desk.admin.email,
        documentsCount: 2,
        waitingTime: 20.3,
      },
    ]);
    expect(pagination).toMatchObject({ total: 1, hasNext: false });
  });

  test('counts the whole queue, whatever is filtered, and the page only what matches', async () => {
    await filledQueue();
    const { stats, pagination } = await queue('status=SUBMITTED&pageSize=1');
    expect(stats).toMatchObject({ pending: 3, underReview: 1, needsInfo: 1 });
    expect(pagination).toMatchObject({ total: 3, hasNext: true });
  });

  test('the processing time is the mean of the decisions of 90 days, from the first submission; 0 without', async () => {
    expect((await queue()).stats.averageProcessingTime).toBe(0);
    const decided = (hours: number, decidedAt: Date, status: 'APPROVED' | 'REJECTED' = 'REJECTED') =>
      verificationIn(desk.world, {
        ...{ status, decidedAt, submittedAt: new Date(decidedAt.getTime() - hours * HOUR_MS) },
      });
    await decided(10, hoursAgo(1));
    await decided(5.5, hoursAgo(89 * 24), 'APPROVED');
    await decided(1_000, hoursAgo(91 * 24));
    expect((await queue()).stats.averageProcessingTime).toBe(7.8);
    const again = await decided(2, hoursAgo(3));
    await execute(
      desk.world.db,
      `UPDATE kyc_verifications SET first_submitted_at = decided_at - interval '20.5 hours' WHERE id = $1`,
      [again.id],
    );
    expect((await queue()).stats.averageProcessingTime).toBe(12);
  });

  test('pages never overlap, also where everything is equal', async () => {
    const submittedAt = hoursAgo(5);
    for (let i = 0; i < 7; i++) await verificationIn(desk.world, { submittedAt });
    for (const sort of ['sortBy=priority', 'sortBy=submittedAt', 'sortBy=submittedAt&sortOrder=desc']) {
      const paged: string[] = [];
      for (let page = 1; page <= 4; page++) paged.push(...(await idsOf(`${sort}&pageSize=2&page=${page}`)));
      expect(new Set(paged).size).toBe(7);
    }
    expect(await queue('page=99')).toMatchObject({ submissions: [], pagination: { total: 7 } });
  });

  test.each([
    'pageSize=51',
    'status=APPROVED',
    'status=ALL',
    'priority=URGENT',
    'sortBy=name',
    'sortOrder=up',
    'assignedTo=you',
    'page=0',
  ])('VALIDATION_ERROR: %s', async (query) => {
    expect(outcomeOf(await desk.ask('get', `/admin/kyc/queue?${query}`))).toBe('400 VALIDATION_ERROR');
  });

  test('takes 50 a page, is for administrators, and is no id', async () => {
    expect(outcomeOf(await desk.ask('get', '/admin/kyc/queue?pageSize=50'))).toBe('200');
    const as = async (token: string | null) =>
      outcomeOf(await desk.ask('get', '/admin/kyc/queue', undefined, token));
    expect([await as(null), await as(desk.tokens.user), await as(desk.tokens.superAdmin)]).toEqual([
      '401 UNAUTHORIZED',
      '403 FORBIDDEN',
      '200',
    ]);
  });

  test('costs one statement for the list and one for the numbers', async () => {
    await filledQueue();
    const statements: string[] = [];
    const watched = {
      ...desk.world.db,
      watch: <T>(text: string, run: () => Promise<T>) => {
        statements.push(text);
        return run();
      },
    };
    await queuedVerifications(watched, {}, { sortBy: 'priority', sortOrder: 'desc', limit: 50, offset: 0 });
    await queueStats(watched, {});
    expect(statements).toHaveLength(2);
  });
});
