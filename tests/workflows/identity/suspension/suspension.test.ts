import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { firstRow, rows } from '../../../../db/sql/query';
import { refusal, refusalIn } from '../../../../workflows/errors';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import {
  activateUser,
  banUser,
  suspendUser,
  suspensionProcess,
  unbanUser,
  type StatusChanged,
} from '../../../../workflows/identity/suspension/suspension.contract';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { WorkflowUpdateStage } from '@temporalio/client';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';

let world: SkippingWorld;
let adminId: string;
let trouble: Error | undefined;
let beforeActivation: () => Promise<void>;
beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive'],
    fakes: (real) => ({
      async activateUser(decision) {
        await beforeActivation();
        return real.activateUser(decision);
      },
      readSuspension: async (user) => {
        if (trouble) throw trouble;
        return real.readSuspension(user);
      },
    }),
  });
  adminId = (await make.admin(world.db)).id;
});
afterAll(() => world.teardown());
beforeEach(() => {
  trouble = undefined;
  beforeActivation = () => Promise.resolve();
});

const DAY_MS = 86_400_000;

const verbs = { activate: activateUser, ban: banUser, unban: unbanUser };
const note = (): Promise<string> => noteOf(world.db, adminId, 'Because.');

const suspend = async (userId: string, days: number | null): Promise<StatusChanged> =>
  world.processes.open(
    suspensionProcess,
    { userId },
    suspendUser,
    { noteId: await note(), days, notifyUser: false },
    { updateId: v7() },
  );
const decide = async (userId: string, verb: keyof typeof verbs): Promise<StatusChanged> =>
  world.processes.open(
    suspensionProcess,
    { userId },
    verbs[verb],
    { noteId: await note(), notifyUser: false },
    { updateId: v7() },
  );
const handle = (userId: string) => patient(world).workflow.getHandle(suspensionProcess.id({ userId }));
const statusOf = async (userId: string) =>
  (await firstRow<{ status: string }>(world.db, 'SELECT status FROM users WHERE id = $1', [userId]))?.status;
const becomes = (userId: string, status: string): Promise<void> =>
  eventually(async () => expect(await statusOf(userId)).toBe(status));
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => 'done',
    (error: unknown) => refusalIn(error)?.code,
  );
const actionsOn = async (userId: string) =>
  (
    await rows<{ action: string; actorId: string | null }>(
      world.db,
      `SELECT action, actor_id FROM audit_records WHERE entity_id = $1 ORDER BY sequence`,
      [userId],
    )
  ).map(({ action, actorId }) => `${action} by ${actorId === adminId ? 'admin' : 'the platform'}`);

test('a suspension ends by itself when its time has passed, and not before', async () => {
  const user = await make.user(world.db);
  const suspended = await suspend(user.id, 7);
  const days = Date.parse(suspended.until!) - Date.parse(suspended.at);
  expect(days).toBe(7 * 24 * 60 * 60 * 1000);
  await world.sleep('6 days');
  expect(await statusOf(user.id)).toBe('SUSPENDED');
  await world.sleep('25 hours');
  await becomes(user.id, 'ACTIVE');
  expect(await handle(user.id).result()).toBe('OVER');
  expect(await actionsOn(user.id)).toEqual([
    'user.suspend by admin',
    'user.suspension-ended by the platform',
  ]);
  const left = await firstRow(
    world.db,
    `SELECT num_nonnulls(suspended_at, suspended_until, suspended_by, suspension_reason) AS left
       FROM users WHERE id = $1`,
    [user.id],
  );
  expect(left).toEqual({ left: 0 });
  await keepHistory(handle(user.id), 'ran-out');
});

test('one without an end waits for a decision, however long that takes', async () => {
  const user = await make.user(world.db);
  expect((await suspend(user.id, null)).until).toBeNull();
  await world.sleep('400 days');
  expect(await statusOf(user.id)).toBe('SUSPENDED');
  await decide(user.id, 'activate');
  expect(await statusOf(user.id)).toBe('ACTIVE');
  expect(await handle(user.id).result()).toBe('OVER');
  await keepHistory(handle(user.id), 'activated');
});

test('activated early and suspended again, the first end does not cut the second short', async () => {
  const user = await make.user(world.db);
  await suspend(user.id, 2);
  await decide(user.id, 'activate');
  await suspend(user.id, 30);
  await world.sleep('3 days');
  expect(await statusOf(user.id)).toBe('SUSPENDED');
  await world.sleep('28 days');
  await becomes(user.id, 'ACTIVE');
});

test('a ban ends the suspension for good, its timer too', async () => {
  const user = await make.user(world.db);
  await suspend(user.id, 2);
  await decide(user.id, 'ban');
  await world.sleep('3 days');
  expect(await statusOf(user.id)).toBe('BANNED');
  expect(await handle(user.id).result()).toBe('OVER');
  await keepHistory(handle(user.id), 'banned');
  await decide(user.id, 'unban');
  expect(await statusOf(user.id)).toBe('ACTIVE');
  expect(await handle(user.id).result()).toBe('OVER');
  await keepHistory(handle(user.id), 'unbanned');
});

describe('a user who cannot be read waits for an operator', () => {
  /** A suspended user whose process is parked. */
  async function parked(): Promise<string> {
    const { id } = await make.user(world.db);
    trouble = ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
    await suspend(id, null);
    await eventually(async () =>
      expect(await rows(world.db, 'SELECT type FROM parked_processes WHERE entity_id = $1', [id])).toEqual([
        { type: 'suspension' },
      ]),
    );
    trouble = undefined;
    return id;
  }

  test('who has it tried again: the user can be activated', async () => {
    const userId = await parked();
    await handle(userId).executeUpdate(retryStep, { args: [{ noteId: null }] });
    await decide(userId, 'activate');
    expect(await handle(userId).result()).toBe('OVER');
    expect(await statusOf(userId)).toBe('ACTIVE');
    await keepHistory(handle(userId), 'parked-then-retried');
  });

  test('who abandons it: the process ends, and the user stays suspended', async () => {
    const userId = await parked();
    await handle(userId).executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await handle(userId).result()).toBe('ABANDONED');
    expect(await statusOf(userId)).toBe('SUSPENDED');
    await keepHistory(handle(userId), 'parked-then-abandoned');
  });
});

test('a user who is suspended without a process is activated by a decision, or at the stored time', async () => {
  const [one, two] = [await make.user(world.db), await make.user(world.db)];
  for (const { id } of [one, two])
    await rows(
      world.db,
      `UPDATE users SET status = 'SUSPENDED', suspended_at = $2, suspended_until = $2::timestamptz + interval '5 days'
        WHERE id = $1`,
      [id, await world.now()],
    );
  await decide(one.id, 'activate');
  expect(await statusOf(one.id)).toBe('ACTIVE');
  expect(await codeOf(suspend(two.id, 1))).toBe('ALREADY_SUSPENDED');
  await world.sleep('2 days');
  expect(await statusOf(two.id)).toBe('SUSPENDED');
  await world.sleep('4 days');
  await becomes(two.id, 'ACTIVE');
});

test('what is refused leaves nothing, and its process ends', async () => {
  const user = await make.user(world.db);
  expect(await codeOf(decide(user.id, 'activate'))).toBe('NOT_SUSPENDED');
  expect(await handle(user.id).result()).toBe('OVER');
  expect(await actionsOn(user.id)).toEqual([]);
  await keepHistory(handle(user.id), 'refused');
});

test('a process that gets no update ends', async () => {
  const user = await make.user(world.db);
  await world.processes.start(suspensionProcess, { userId: user.id });
  await world.sleep('11 minutes');
  expect(await handle(user.id).result()).toBe('OVER');
  expect(await statusOf(user.id)).toBe('ACTIVE');
});

test('of many suspensions at once one is done; suspending and activating at once cross in any order and hold', async () => {
  const user = await make.user(world.db);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => codeOf(suspend(user.id, 3))));
  expect(outcomes.sort()).toEqual([...Array<string>(7).fill('ALREADY_SUSPENDED'), 'done']);
  const crossed = await Promise.all([
    codeOf(decide(user.id, 'activate')),
    codeOf(suspend(user.id, 3)),
    codeOf(decide(user.id, 'activate')),
  ]);
  const done = crossed.filter((code) => code === 'done').length;
  expect(await statusOf(user.id)).toBe(done % 2 === 1 ? 'ACTIVE' : 'SUSPENDED');
});

test('one without an end has a new run after a month, with nothing else to do; a decision reaches that', async () => {
  const user = await make.user(world.db);
  await suspend(user.id, null);
  const { runId } = await handle(user.id).describe();
  await world.sleep('31 days');
  await eventually(async () => expect((await handle(user.id).describe()).runId).not.toBe(runId));
  await keepHistory(handle(user.id), 'continued', runId);
  expect(await statusOf(user.id)).toBe('SUSPENDED');
  await decide(user.id, 'activate');
  expect(await handle(user.id).result()).toBe('OVER');
  expect(await statusOf(user.id)).toBe('ACTIVE');
});

test('a decision that is being carried out when the month is over is answered before the new run', async () => {
  const user = await make.user(world.db);
  await suspend(user.id, null);
  const { runId } = await handle(user.id).describe();
  await world.sleep(30 * DAY_MS - 20 * 60_000);
  let tries = 0;
  beforeActivation = () =>
    tries++ > 0
      ? Promise.reject(refusal('VALIDATION_ERROR', 'Not now.'))
      : Promise.reject(ApplicationFailure.create({ message: 'away', nextRetryDelay: '30 minutes' }));
  const decision = await handle(user.id).startUpdate(activateUser, {
    args: [{ noteId: await note(), notifyUser: false }],
    waitForStage: WorkflowUpdateStage.ACCEPTED,
  });
  await eventually(() => expect(tries).toBe(1));
  await world.sleep('25 minutes');
  expect((await handle(user.id).describe()).runId).toBe(runId);
  await world.sleep('10 minutes');
  expect(await codeOf(decision.result())).toBe('VALIDATION_ERROR');
  await eventually(async () => expect((await handle(user.id).describe()).runId).not.toBe(runId));
  expect(await statusOf(user.id)).toBe('SUSPENDED');
  await keepHistory(handle(user.id), 'continued-after-an-answer', runId);
});
