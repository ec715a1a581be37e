import { Processes } from '../../api/http/temporal/temporal';
import { execute, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { kycReviewProcess } from '../../workflows/kyc/review/kyc-review.contract';
import { make } from '../support/builders/make';
import { begunVerification, verificationState } from '../support/builders/kyc/verifying';
import { eventually } from '../support/checks/eventually';
import { violations } from '../support/checks/violations';
import { ownKillingWorld, type KillingWorld } from '../support/worlds/killing-world';
import { reviewerOf, submits } from '../workflows/kyc/review/review-processes';

let place: KillingWorld & { processes: Processes };
const world = ownKillingWorld();
beforeAll(async () => {
  place = { ...world, processes: new Processes(world.temporal) };
});
afterEach(async () => expect(await violations(world.db)).toEqual([]));

/** Locks a table against writes, so that a step stops in the middle of its transaction. */
const holding = (table: string, meanwhile: () => Promise<void>): Promise<void> =>
  inTransaction(world.owner, async (tx) => {
    await execute(tx, `LOCK TABLE ${table} IN SHARE MODE`);
    await meanwhile();
  });
const someoneWaits = (): Promise<void> =>
  eventually(async () => {
    const waiting = await rows(
      world.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });

test.each([
  ['before its mail is queued', 'outbox_messages'],
  ['between its mail and its audit record', 'audit_records'],
])('a worker killed in the middle of an approval, %s: it is made once, with one mail', async (_, table) => {
  const one = await begunVerification(world.db);
  const reviewer = reviewerOf(place, (await make.admin(world.db)).id);
  await submits(place, one);
  await holding(table, async () => {
    const unanswered = reviewer.approve(one).catch((error: unknown) => error as Error);
    await someoneWaits();
    await world.worker.kill();
    void unanswered;
  });
  expect(await verificationState(world.db, one.kycId)).toMatchObject({
    status: 'SUBMITTED',
    userLevel: 'BASIC',
    mails: ['submitted'],
    audited: [],
  });
  await world.worker.start();
  expect(await world.temporal.workflow.getHandle(kycReviewProcess.id(one)).result()).toBe('APPROVED');
  expect(await verificationState(world.db, one.kycId)).toMatchObject({
    status: 'APPROVED',
    userLevel: 'STANDARD',
    history: ['SUBMITTED', 'APPROVED'],
    mails: ['submitted', 'approved'],
    audited: ['kyc.approve'],
    events: ['kyc.submitted', 'kyc.approved'],
  });
});
