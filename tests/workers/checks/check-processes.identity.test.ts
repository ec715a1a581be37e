import { accountDeletionProcess } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { registrationProcess } from '../../../workflows/identity/registration/registration.contract';
import { suspensionProcess } from '../../../workflows/identity/suspension/suspension.contract';
import { make } from '../../support/builders/make';
import { startWorld, type World } from '../../support/worlds/world';
import { one, seenAfter, seenWhileRuns } from '../seen';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false });
});
afterAll(() => world.teardown());

test('processes.drive-open-rows: a suspension whose end nobody waits for', async () => {
  const { id } = await make.user(world.db);
  const broken = await seenAfter(
    world,
    `UPDATE users SET status = 'SUSPENDED', suspended_at = now() - interval '1 second', suspended_until = now()
      WHERE id = $1`,
    [id],
  );
  expect(broken).toEqual(
    one('processes.drive-open-rows', id, /SUSPENDED until .+, but suspension:.+ does not run/),
  );
});

test('processes.drive-open-rows: an account that waits to be erased, and nobody erases it', async () => {
  const { id } = await make.user(world.db);
  const broken = await seenAfter(
    world,
    `UPDATE users SET deletion_due_at = now(), updated_at = now() - interval '1 second' WHERE id = $1`,
    [id],
  );
  expect(broken).toEqual(
    one('processes.drive-open-rows', id, /to be erased at .+, but account-deletion:.+ does not run/),
  );
});

test('processes.end-with-their-rows: the deletion of an account that stays', async () => {
  const { id: userId } = await make.user(world.db);
  const broken = await seenWhileRuns(world, accountDeletionProcess, { userId });
  expect(broken).toEqual(
    one('processes.end-with-their-rows', userId, /^account-deletion:.+ still runs: .+ not to be erased/),
  );
});

test('processes.drive-open-rows: an account that waits to be verified, and nobody removes it', async () => {
  const { id } = await make.user(world.db);
  const broken = await seenAfter(world, `UPDATE users SET status = 'PENDING_VERIFICATION' WHERE id = $1`, [
    id,
  ]);
  expect(broken).toEqual(
    one('processes.drive-open-rows', id, /PENDING_VERIFICATION, but registration:.+ does not run/),
  );
});

test('processes.end-with-their-rows: the registration of somebody who is verified', async () => {
  const { id: userId } = await make.user(world.db);
  const broken = await seenWhileRuns(world, registrationProcess, { userId });
  expect(broken).toEqual(
    one('processes.end-with-their-rows', userId, /^registration:.+ still runs: .+ is verified/),
  );
});

test('processes.end-with-their-rows: a suspension of somebody who is not suspended', async () => {
  const { id: userId } = await make.user(world.db);
  const broken = await seenWhileRuns(world, suspensionProcess, { userId });
  expect(broken).toEqual(
    one('processes.end-with-their-rows', userId, /^suspension:.+ still runs: user is ACTIVE/),
  );
});
