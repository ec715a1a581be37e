import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { firstRow, rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { refusalIn } from '../../../../workflows/errors';
import {
  accountDeletionProcess,
  cancelDeletion,
  requestDeletion,
  undoDeletion,
} from '../../../../workflows/identity/account-deletion/account-deletion.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { mailsTo as owedTo } from '../../../support/checks/mail';
import { eventually } from '../../../support/checks/eventually';
import { begunVerification } from '../../../support/builders/kyc/verifying';
import { reviewerOf, submits } from '../../kyc/review/review-processes';
import { kycReviewProcess } from '../../../../workflows/kyc/review/kyc-review.contract';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import { PRICE_MINOR } from '../../../support/builders/ordering';
import { openSession } from '../../../support/builders/sign-in';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient, placed } from '../../commerce/sales';
import { livingPerson } from '../living-person';

let world: SkippingWorld;
let trouble: Error | undefined;
let lostAnswers = 0;
/** The accounts that were read, one entry per reading, and a promise that readings wait for before they answer. */
let readings: string[];
let held: Promise<void> | undefined;
beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      eraseAccount: async (account) => {
        if (trouble) throw trouble;
        return real.eraseAccount(account);
      },
      undoDeletion: async (command) => {
        await real.undoDeletion(command);
        if (lostAnswers-- > 0) throw new Error('The answer was lost on its way.');
      },
      dueDeletion: async (account) => {
        const due = await real.dueDeletion(account);
        readings.push(account.userId);
        await held;
        return due;
      },
    }),
  });
});
afterAll(() => world.teardown());
beforeEach(() => {
  trouble = undefined;
  lostAnswers = 0;
  readings = [];
  held = undefined;
});

const request = async (userId: string) =>
  world.processes.open(
    accountDeletionProcess,
    { userId },
    requestDeletion,
    { sessionId: await openSession(world.db, userId) },
    requestOptions(),
  );
const signInAgain = (userId: string) =>
  world.processes.open(
    accountDeletionProcess,
    { userId },
    cancelDeletion,
    {},
    {
      updateId: v7(),
    },
  );
const requestOptions = () => ({ updateId: v7() });
const handle = (userId: string) => patient(world).workflow.getHandle(accountDeletionProcess.id({ userId }));
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => 'done',
    (error: unknown) => refusalIn(error)?.code,
  );
const stateOf = (userId: string) =>
  firstRow<{ email: string; due: boolean; erased: boolean; status: string }>(
    world.db,
    `SELECT email, deletion_due_at IS NOT NULL AS due, erased_at IS NOT NULL AS erased, status
       FROM users WHERE id = $1`,
    [userId],
  );
const erased = (userId: string): Promise<void> =>
  eventually(async () => expect(await stateOf(userId)).toMatchObject({ erased: true, due: false }));
const mailsTo = async (email: string): Promise<string[]> =>
  (await owedTo(world.db, email)).map(({ subject }) => subject);

test('after fourteen days all personal data is erased, and not before', async () => {
  const { user, traces } = await livingPerson(world.db);
  const { dueAt } = await request(user.id);
  const days = (Date.parse(dueAt) - (await world.now()).getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(13.9);
  expect(days).toBeLessThanOrEqual(14);
  expect(await mailsTo(user.email)).toEqual(['Your account will be deleted']);
  expect(new Set((await traces()).sessions)).toEqual(new Set(['DELETION']));

  await world.sleep('13 days');
  expect(await stateOf(user.id)).toMatchObject({ email: user.email, due: true, erased: false });
  await world.sleep('25 hours');
  await erased(user.id);
  expect(await handle(user.id).result()).toBe('ERASED');
  expect(await traces()).toEqual({
    sessions: [],
    personal: {
      email: `erased-${user.id}@erased.invalid`,
      firstName: 'Erased',
      lastName: 'Erased',
      roles: ['USER'],
      status: 'BANNED',
    },
    rows: 0,
    note: { text: null, clientAddress: '' },
  });
  await keepHistory(handle(user.id), 'erased');
});

test('an owner who signs in again keeps everything, and may request it again', async () => {
  const user = await make.user(world.db);
  await request(user.id);
  await world.sleep('10 days');
  expect(await signInAgain(user.id)).toBeNull();
  expect(await handle(user.id).result()).toBe('CANCELLED');
  await keepHistory(handle(user.id), 'cancelled');
  await world.sleep('30 days');
  expect(await stateOf(user.id)).toEqual({
    email: user.email,
    due: false,
    erased: false,
    status: 'ACTIVE',
  });
  expect(await mailsTo(user.email)).toEqual(['Your account will be deleted', 'Your account stays']);

  await request(user.id);
  await world.sleep('15 days');
  await erased(user.id);
  expect(await codeOf(signInAgain(user.id))).toBe('INVALID_CREDENTIALS');
});

test('requested at once and again, it is one process, one date and one mail', async () => {
  const user = await make.user(world.db);
  const answers = await Promise.all([request(user.id), request(user.id), request(user.id)]);
  const { runId } = await handle(user.id).describe();
  expect(new Set(answers.map(({ dueAt }) => dueAt)).size).toBe(1);
  await world.sleep('3 days');
  expect(await request(user.id)).toEqual(answers[0]);
  expect(await mailsTo(user.email)).toHaveLength(1);
  expect((await handle(user.id).describe()).runId).toBe(runId);
});

test('an account with money or an open order is refused, and the process ends', async () => {
  const rich = await make.buyer(world.db, { walletMinor: 1 });
  expect(await codeOf(request(rich.id))).toBe('VALIDATION_ERROR');
  expect(await handle(rich.id).result()).toBe('REFUSED');
  await keepHistory(handle(rich.id), 'refused');
  const sold = await placed(world, { method: 'CARD' });
  expect(await codeOf(request(sold.userId))).toBe('VALIDATION_ERROR');
  expect((await stateOf(rich.id))?.due).toBe(false);
});

test('money that arrives in the grace period is not lost: the erasure waits until it is gone', async () => {
  const user = await make.user(world.db);
  await request(user.id);
  await make.money(world.db, user.id, PRICE_MINOR);
  await world.sleep('20 days');
  expect(await stateOf(user.id)).toMatchObject({ email: user.email, due: true, erased: false });
  await make.money(world.db, user.id, -PRICE_MINOR);
  await world.sleep('25 hours');
  await erased(user.id);
  await keepHistory(handle(user.id), 'waited-for-money');
});

test('of two SUPER_ADMINs who leave at once one stays', async () => {
  const admins = [await make.superAdmin(world.db), await make.superAdmin(world.db)];
  const outcomes = await Promise.all(admins.map(({ id }) => codeOf(request(id))));
  expect(outcomes.sort()).toEqual(['FORBIDDEN', 'done']);
});

/** An account whose erasure keeps failing. */
async function waitingForOperator() {
  const user = await make.user(world.db);
  await request(user.id);
  trouble = ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
  await world.sleep('15 days');
  await eventually(async () => {
    const parked = await rows(world.db, 'SELECT reason FROM parked_processes WHERE entity_id = $1', [
      user.id,
    ]);
    expect(parked).toEqual([{ reason: expect.stringContaining('erase the account') }]);
  });
  trouble = undefined;
  return user;
}

test('an erasure that keeps failing waits for an operator, and loses nothing', async () => {
  const user = await waitingForOperator();
  await handle(user.id).executeUpdate(retryStep, { args: [{ noteId: null }] });
  await erased(user.id);
  expect(await handle(user.id).result()).toBe('ERASED');
  await keepHistory(handle(user.id), 'parked-then-retried');
});

test('abandoned by an operator, it ends, and the account stays', async () => {
  const user = await waitingForOperator();
  await handle(user.id).executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await handle(user.id).result()).toBe('ABANDONED');
  expect(await stateOf(user.id)).toMatchObject({ email: user.email, due: true, erased: false });
  await keepHistory(handle(user.id), 'parked-then-abandoned');
});

test('a process that gets no request ends', async () => {
  const userId = (await make.user(world.db)).id;
  await world.processes.start(accountDeletionProcess, { userId });
  await world.sleep('11 minutes');
  expect(await handle(userId).result()).toBe('REFUSED');
  expect(await stateOf(userId)).toMatchObject({ due: false });
});

test('erasing one account does not touch others', async () => {
  const [gone, other] = [await livingPerson(world.db), await livingPerson(world.db)];
  const before = await other.traces();
  await request(gone.user.id);
  await world.sleep('15 days');
  await erased(gone.user.id);
  expect(await other.traces()).toEqual(before);
});

const readingsOf = (userId: string): number => readings.filter((id) => id === userId).length;

test('a deletion requested again while its process is about to end is not lost', async () => {
  const { id: userId } = await make.user(world.db);
  const ask = (sessionId: string, updateId = v7()) =>
    world.processes.open(accountDeletionProcess, { userId }, requestDeletion, { sessionId }, { updateId });
  const process = patient(world).workflow.getHandle(accountDeletionProcess.id({ userId }));
  await ask(await openSession(world.db, userId));
  const sessionId = await openSession(world.db, userId);
  await eventually(() => expect(readingsOf(userId)).toBe(1));
  let letGo: () => void = () => undefined;
  held = new Promise((resolve) => (letGo = resolve));
  await world.processes.ask(process.workflowId, cancelDeletion, {}, { updateId: v7() });
  await eventually(() => expect(readingsOf(userId)).toBe(2));
  const again = ask(sessionId);
  await process.describe(); // Earlier requests have reached the server now.
  letGo();
  held = undefined;
  const { dueAt } = await again;
  await eventually(async () => {
    const { currentDetails } = await process.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toContain(dueAt);
  });
  expect((await process.describe()).status.name).toBe('RUNNING');
  await keepHistory(process, 'requested-while-reading');
});

describe('the token that undoes a deletion', () => {
  const undo = (userId: string, tokenId: string): Promise<string | undefined> =>
    world.processes
      .open(accountDeletionProcess, { userId }, undoDeletion, { tokenId, useId: v7() }, { updateId: v7() })
      .then(
        () => 'done',
        (error: unknown) => refusalIn(error)?.code,
      );
  const deletionOf = (userId: string) =>
    firstRow<{ due: boolean; erased: boolean }>(
      world.db,
      'SELECT deletion_due_at IS NOT NULL AS due, erased_at IS NOT NULL AS erased FROM users WHERE id = $1',
      [userId],
    );

  /** An account that will be erased, and the id of the token that undoes it. */
  async function leaving() {
    const user = await make.user(world.db);
    await request(user.id);
    const token = await firstRow<{ id: string }>(
      world.db,
      `SELECT id FROM mailed_tokens WHERE user_id = $1 AND purpose = 'UNDO_DELETION'`,
      [user.id],
    );
    return { user, tokenId: token!.id };
  }

  test('the token keeps everything, and the process ends', async () => {
    const { user, tokenId } = await leaving();
    await world.sleep('10 days');
    expect(await undo(user.id, tokenId)).toBe('done');
    expect(await handle(user.id).result()).toBe('CANCELLED');
    await keepHistory(handle(user.id), 'undone');
    await world.sleep('30 days');
    expect(await deletionOf(user.id)).toEqual({ due: false, erased: false });
  });

  test('of ten uses at once one succeeds', async () => {
    const { user, tokenId } = await leaving();
    const answers = await Promise.all(Array.from({ length: 10 }, () => undo(user.id, tokenId)));
    expect(answers.sort()).toEqual([...Array<string>(9).fill('INVALID_TOKEN'), 'done']);
    expect(await mailsTo(user.email)).toHaveLength(2);
  });

  test('an answer that is lost is given again, and nothing is done twice', async () => {
    const { user, tokenId } = await leaving();
    lostAnswers = 2;
    expect(await undo(user.id, tokenId)).toBe('done');
    expect(await mailsTo(user.email)).toHaveLength(2);
  });

  test('an unknown, foreign or expired token changes nothing', async () => {
    const [one, other] = [await leaving(), await leaving()];
    expect(await undo(one.user.id, v7())).toBe('INVALID_TOKEN');
    expect(await undo(one.user.id, other.tokenId)).toBe('INVALID_TOKEN');
    expect(await deletionOf(one.user.id)).toEqual({ due: true, erased: false });
    await make.money(world.db, other.user.id, 1);
    await world.sleep('15 days');
    expect(await undo(other.user.id, other.tokenId)).toBe('TOKEN_EXPIRED');
    await eventually(async () => expect(await deletionOf(one.user.id)).toEqual({ due: false, erased: true }));
    expect(await undo(one.user.id, one.tokenId)).toBe('INVALID_TOKEN');
  });
});

test('the process of a verification that waits for its user is told, and ends with the account', async () => {
  const one = await begunVerification(world.db);
  await submits(world, one);
  // It would look by itself only after 7 and 21 days.
  await reviewerOf(world, (await make.admin(world.db)).id).requestInfo(one);
  await request(one.userId);
  await world.sleep('15 days');
  await erased(one.userId);
  expect(await handle(one.userId).result()).toBe('ERASED');
  const review = patient(world).workflow.getHandle(kycReviewProcess.id(one));
  expect(await review.result()).toBe('ERASED');
  const { events } = await review.fetchHistory();
  const signals = (events ?? []).map((event) => event.workflowExecutionSignaledEventAttributes?.signalName);
  expect(signals).toContain('rowErased');
  await keepHistory(handle(one.userId), 'erased-with-a-review');
});
