import { accountDeletionProcess } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { registrationProcess } from '../../../workflows/identity/registration/registration.contract';
import { suspensionProcess } from '../../../workflows/identity/suspension/suspension.contract';
import { make } from '../../support/builders/make';
import { startWorld, type World } from '../../support/worlds/world';
import { one, violationsAfter, violationsWhileRunning } from '../violations';

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: false });
});
afterAll(() => world.teardown());

test('processes.drive-open-rows: a suspension without a process for its end', async () => {
  const { id } = await make.user(world.db);
  const broken = await violationsAfter(
    world,
    `UPDATE users SET status = 'SUSPENDED', suspended_at = now() - interval '1 second', suspended_until = now()
      WHERE id = $1`,
    [id],
  );
  expect(broken).toEqual(
    one('processes.drive-open-rows', id, /SUSPENDED until .+, but suspension:.+ does not run/),
  );
});

test('processes.drive-open-rows: an account due for erasure without a process', async () => {
  const { id } = await make.user(world.db);
  const broken = await violationsAfter(
    world,
    `UPDATE users SET deletion_due_at = now(), updated_at = now() - interval '1 second' WHERE id = $1`,
    [id],
  );
  expect(broken).toEqual(
    one('processes.drive-open-rows', id, /to be erased at .+, but account-deletion:.+ does not run/),
  );
});

test('processes.end-with-their-rows: the deletion process of an account that is not to be erased', async () => {
  const { id: userId } = await make.user(world.db);
  const broken = await violationsWhileRunning(world, accountDeletionProcess, { userId });
  expect(broken).toEqual(
    one('processes.end-with-their-rows', userId, /^account-deletion:.+ still runs: .+ not to be erased/),
  );
});

test('processes.drive-open-rows: an unverified account without a process', async () => {
  const { id } = await make.user(world.db);
  const broken = await violationsAfter(
    world,
    `UPDATE users SET status = 'PENDING_VERIFICATION' WHERE id = $1`,
    [id],
  );
  expect(broken).toEqual(
    one('processes.drive-open-rows', id, /PENDING_VERIFICATION, but registration:.+ does not run/),
  );
});

test('processes.end-with-their-rows: the registration process of a verified user', async () => {
  const { id: userId } = await make.user(world.db);
  const broken = await violationsWhileRunning(world, registrationProcess, { userId });
  expect(broken).toEqual(
    one('processes.end-with-their-rows', userId, /^registration:.+ still runs: .+ is verified/),
  );
});

test('processes.end-with-their-rows: the suspension process of a user who is not suspended', async () => {
  const { id: userId } = await make.user(world.db);
  const broken = await violationsWhileRunning(world, suspensionProcess, { userId });
  expect(broken).toEqual(
    one('processes.end-with-their-rows', userId, /^suspension:.+ still runs: user is ACTIVE/),
  );
});
