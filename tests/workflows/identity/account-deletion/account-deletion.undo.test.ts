import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import {
  accountDeletionProcess,
  requestDeletion,
  undoDeletion,
} from '../../../../workflows/identity/account-deletion/account-deletion.contract';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';

let world: SkippingWorld;
let lostAnswers = 0;
beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: (real) => ({
      undoDeletion: async (command) => {
        await real.undoDeletion(command);
        if (lostAnswers-- > 0) throw new Error('The answer was lost on its way.');
      },
    }),
  });
});
afterAll(() => world.teardown());
beforeEach(() => {
  lostAnswers = 0;
});

const handle = (userId: string) => patient(world).workflow.getHandle(accountDeletionProcess.id({ userId }));
const undo = (userId: string, tokenId: string): Promise<string | undefined> =>
  world.processes
    .open(
      accountDeletionProcess,
      { userId },
      undoDeletion,
      { tokenId },
      { updateId: v7(), ifClosed: 'INVALID_TOKEN' },
    )
    .then(
      () => 'done',
      (error: unknown) => refusalIn(error)?.code,
    );
const stateOf = (userId: string) =>
  firstRow<{ due: boolean; erased: boolean }>(
    world.db,
    'SELECT deletion_due_at IS NOT NULL AS due, erased_at IS NOT NULL AS erased FROM users WHERE id = $1',
    [userId],
  );

/** An account that will be erased, and the id of the token that undoes it. */
async function leaving() {
  const user = await make.user(world.db);
  await world.processes.open(
    accountDeletionProcess,
    { userId: user.id },
    requestDeletion,
    {},
    { updateId: v7(), ifClosed: 'SERVICE_UNAVAILABLE' },
  );
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
  expect(await stateOf(user.id)).toEqual({ due: false, erased: false });
});

test('of ten uses at once one succeeds', async () => {
  const { user, tokenId } = await leaving();
  const answers = await Promise.all(Array.from({ length: 10 }, () => undo(user.id, tokenId)));
  expect(answers.sort()).toEqual([...Array<string>(9).fill('INVALID_TOKEN'), 'done']);
  expect(await mailsTo(world.db, user.email)).toHaveLength(2);
});

test('an answer that is lost is given again, and nothing is done twice', async () => {
  const { user, tokenId } = await leaving();
  lostAnswers = 2;
  expect(await undo(user.id, tokenId)).toBe('done');
  expect(await mailsTo(world.db, user.email)).toHaveLength(2);
});

test('an unknown, foreign or expired token changes nothing', async () => {
  const [one, other] = [await leaving(), await leaving()];
  expect(await undo(one.user.id, v7())).toBe('INVALID_TOKEN');
  expect(await undo(one.user.id, other.tokenId)).toBe('INVALID_TOKEN');
  expect(await stateOf(one.user.id)).toEqual({ due: true, erased: false });
  await make.money(world.db, other.user.id, 1);
  await world.sleep('15 days');
  expect(await undo(other.user.id, other.tokenId)).toBe('TOKEN_EXPIRED');
  await eventually(async () => expect(await stateOf(one.user.id)).toEqual({ due: false, erased: true }));
  expect(await undo(one.user.id, one.tokenId)).toBe('INVALID_TOKEN');
});
