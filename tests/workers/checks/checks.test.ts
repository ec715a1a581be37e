import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duration } from '@temporalio/common';
import { newBlobName } from '../../../db/blobs/port';
import { rowWindows } from '../../../db/invariants/driven/driven-row.reads';
import { execute, firstRow } from '../../../db/sql/query';
import { checkHourly } from '../../../workers/checks/check-hourly';
import { checkInvariants } from '../../../workers/checks/check-invariants';
import { checkProcesses } from '../../../workers/checks/check-processes';
import { drivenRows } from '../../../workers/checks/driven';
import { recent } from '../../../workers/checks/recent';
import { accountDeletionProcess } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { registrationProcess } from '../../../workflows/identity/registration/registration.contract';
import { searchAttributes } from '../../../workflows/kit/search-attributes';
import { suspensionProcess } from '../../../workflows/identity/suspension/suspension.contract';
import { picture } from '../../db/blobs/store';
import { make } from '../../support/builders/make';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';
import { connectTemporal, type TestTemporal } from '../../support/servers/temporal';
import { setVariables, testVariables } from '../../support/worlds/variables';
import { ownWorld } from '../../support/worlds/world';
import { noGrace, one, violationsAfter, violationsWhileRunning } from '../violations';

const world = ownWorld({ worker: false });

describe('identity', () => {
  test('processes.drive-open-rows: a suspension without a process for its end', async () => {
    const { id } = await make.user(world.db);
    const broken = await violationsAfter(
      world,
      `UPDATE users SET status = 'SUSPENDED', suspended_at = now() - interval '1 second', suspended_until = now()
      WHERE id = $1`,
      [id],
    );
    expect(broken).toEqual(
      one(
        'processes.drive-open-rows',
        id,
        /suspended_until is .+, status is SUSPENDED, but suspension:.+ does not run/,
      ),
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
      one('processes.drive-open-rows', id, /deletion_due_at is 2.+, but account-deletion:.+ does not run/),
    );
  });

  test('processes.end-with-their-rows: the deletion process of an account that is not to be erased', async () => {
    const { id: userId } = await make.user(world.db);
    const broken = await violationsWhileRunning(world, accountDeletionProcess, { userId });
    expect(broken).toEqual(
      one(
        'processes.end-with-their-rows',
        userId,
        /^account-deletion:.+ still runs: .+ deletion_due_at is not set/,
      ),
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
      one('processes.end-with-their-rows', userId, /^registration:.+ still runs: .+ email_verified_at is 2/),
    );
  });

  test('processes.end-with-their-rows: the suspension process of a user who is not suspended', async () => {
    const { id: userId } = await make.user(world.db);
    const broken = await violationsWhileRunning(world, suspensionProcess, { userId });
    expect(broken).toEqual(
      one('processes.end-with-their-rows', userId, /^suspension:.+ still runs: .+ is ACTIVE/),
    );
  });
});

describe('the operators’ list', () => {
  const listed = async (workflowId: string): Promise<boolean> =>
    (await firstRow(world.db, 'SELECT 1 FROM parked_processes WHERE workflow_id = $1', [workflowId])) !==
    null;

  const logged: object[] = [];
  const log = { warn: (fields: object) => void logged.push(fields) };
  const check = () => checkHourly({ client: world.temporal, db: world.db, log }, noGrace);

  /** Puts a process on the list, as of a number of seconds from now. */
  const list = (workflowId: string, seconds: number) =>
    execute(
      world.db,
      `INSERT INTO parked_processes VALUES ($1, 'suspension', 'x', 'lost', 'lost', date_trunc('milliseconds', now()) + make_interval(secs => $2), 'run')`,
      [workflowId, seconds],
    );

  const start = (workflowId: string, needsAttention = false, workflowRunTimeout: Duration = '1 day') =>
    world.temporal.workflow.start(suspensionProcess.type, {
      workflowId,
      workflowRunTimeout,
      taskQueue: 'nobody-serves-this',
      typedSearchAttributes: [{ key: searchAttributes.needsAttention, value: needsAttention }],
    });

  test('a process that was terminated leaves it with the next hourly check', async () => {
    const handle = await start('suspension:terminated');
    await list('suspension:terminated', 0);
    await check();
    expect(await listed('suspension:terminated')).toBe(true);
    await handle.terminate();
    await check();
    expect(await listed('suspension:terminated')).toBe(false);
    expect(logged).toMatchObject([{ workflowId: 'suspension:terminated', reason: 'lost' }]);
  });

  test('a process that ended by itself should have left it: it stays and is reported', async () => {
    const id = 'suspension:timed-out';
    const handle = await start(id, false, '1 second');
    await list(id, -1);
    await eventually(async () => expect((await handle.describe()).status.name).toBe('TIMED_OUT'));
    expect(await check()).toContainEqual(
      expect.objectContaining({ invariant: 'processes.parked-are-listed' }),
    );
    expect(await listed(id)).toBe(true);
    await execute(world.db, 'DELETE FROM parked_processes');
  });

  test('what its next run under the same id has written stays', async () => {
    const id = 'suspension:next-run';
    await (await start(id)).terminate();
    await list(id, 30); // After the end of the run that the check finds.
    await check();
    expect(await listed(id)).toBe(true);
    const next = await start(id, true);
    await check();
    expect(await listed(id)).toBe(true);
    await next.terminate();
    await execute(world.db, 'DELETE FROM parked_processes');
  });

  test('what an earlier run has left does not outlast the start of the next', async () => {
    const id = 'suspension:earlier-run';
    await list(id, -30);
    const next = await start(id);
    await check();
    expect(await listed(id)).toBe(false);
    await next.terminate();
  });

  test('what a run that continues one which waited tries again stays', async () => {
    const id = 'suspension:continued';
    await list(id, -30);
    await execute(
      world.db,
      `UPDATE parked_processes SET state = 'RETRYING', retried_at = date_trunc('milliseconds', now()) WHERE workflow_id = $1`,
      [id],
    );
    const next = await start(id);
    await check();
    expect(await listed(id)).toBe(true);
    await next.terminate();
    await execute(world.db, 'DELETE FROM parked_processes');
  });

  test('one that is being retried stays, until it has ended or can no longer be trying', async () => {
    const retrying = async (workflowId: string, minutesAgo: number): Promise<void> => {
      await list(workflowId, 0);
      await execute(
        world.db,
        `UPDATE parked_processes SET state = 'RETRYING', retried_at = date_trunc('milliseconds', now()) - make_interval(mins => $2)
         WHERE workflow_id = $1`,
        [workflowId, minutesAgo],
      );
    };
    const [ended, trying, over] = ['suspension:ended', 'suspension:trying', 'suspension:over'] as const;
    await start(ended, false, '1 second');
    const running = [await start(trying), await start(over)];
    await retrying(ended, 0);
    await retrying(trying, 179);
    await retrying(over, 181);
    const handle = world.temporal.workflow.getHandle(ended);
    await eventually(async () => expect((await handle.describe()).status.name).toBe('TIMED_OUT'));
    // `npm run invariants` changes nothing, and does not report what the hourly check removes.
    expect(await checkProcesses(world.temporal, world.db, noGrace)).toEqual([]);
    expect(await listed(ended)).toBe(true);
    expect(await check()).toEqual([]);
    expect([await listed(ended), await listed(trying), await listed(over)]).toEqual([false, true, false]);
    for (const process of running) await process.terminate();
    await check();
    expect(await listed(trying)).toBe(false);
  });

  test('a process that the server does not know is left to a person', async () => {
    await list('suspension:unknown', -30);
    await check();
    expect(await listed('suspension:unknown')).toBe(true);
    await execute(world.db, 'DELETE FROM parked_processes');
  });
});

describe('rows that changed', () => {
  const twoHoursAgo = (): Date => new Date(Date.now() - 2 * 3_600_000);

  /** The violations of a two-hour check, for a user whose suspension began that long ago and has no process. */
  async function violationsOfSuspension(age: string, recheck: (id: string) => string[] = () => []) {
    const { id } = await make.user(world.db);
    const broken = await violationsAfter(
      world,
      `UPDATE users SET status = 'SUSPENDED', suspended_at = now() - $2::interval, suspended_until = now()
      WHERE id = $1`,
      [id, age],
      { ...noGrace, since: twoHoursAgo(), recheck: recheck(id) },
    );
    return { id, broken };
  }

  test('rows that changed in the last two hours are checked', async () => {
    const { id, broken } = await violationsOfSuspension('1 hour');
    expect(broken).toEqual(one('processes.drive-open-rows', id, /suspension:.+ does not run/));
  });

  test('rows that changed earlier are left to the full check', async () => {
    expect((await violationsOfSuspension('3 hours')).broken).toEqual([]);
  });

  test('violations of the last check are checked again at any age', async () => {
    const { id, broken } = await violationsOfSuspension('3 hours', (found) => [found, 'no id']);
    expect(broken).toEqual(one('processes.drive-open-rows', id, /suspension:.+ does not run/));
  });

  test('many rows with the same time come in windows, each row once', async () => {
    await execute(
      world.db,
      `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at, started_at)
     SELECT gen_random_uuid(), 'sandbox', 'window-' || n, 'x', '{}', '', 'RECEIVED', now(),
       date_trunc('day', now()) - interval '1 day'
     FROM generate_series(1, 1203) n`,
    );
    const driven = drivenRows.find(({ type }) => type === 'paymentEvent')!;
    const sizes: number[] = [];
    const entities = new Set<string>();
    for await (const window of rowWindows(world.db, driven, {
      state: 'open',
      graceSeconds: 0,
      since: null,
    })) {
      sizes.push(window.length);
      for (const { entity } of window) entities.add(entity);
    }
    expect(sizes).toEqual([500, 500, 203]);
    expect(entities.size).toBe(1_203);
  });
});

describe('the last check', () => {
  const never = new Promise<never>(() => undefined);

  it('reads once while the value is fresh, for all callers', async () => {
    const read = jest.fn(async () => 7);
    const seven = recent(read, { freshMs: 60_000, patienceMs: 60_000 });
    expect(await Promise.all([seven(), seven()])).toEqual([7, 7]);
    expect(await seven()).toBe(7);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads again when it is no longer fresh', async () => {
    let reads = 0;
    const counted = recent(async () => ++reads, { freshMs: 0, patienceMs: 60_000 });
    await counted();
    await counted();
    expect(reads).toBe(2);
  });

  it('answers null after a failure, and tries again', async () => {
    const read = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(7);
    const seven = recent<number>(read, { freshMs: 60_000, patienceMs: 60_000 });
    expect(await seven()).toBeNull();
    expect(await seven()).toBe(7);
  });

  it('lets no caller wait longer than its patience, and reads a silent source only once', async () => {
    const read = jest.fn(() => never);
    const silence = recent(read, { freshMs: 60_000, patienceMs: 1 });
    expect(await silence()).toBeNull();
    expect(await silence()).toBeNull();
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe('the program that checks', () => {
  const noBlobs = join(tmpdir(), randomUUID());
  const own = ownDatabase();
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await connectTemporal();
  });
  afterAll(() => temporal.close());
  beforeEach(() => {
    setVariables({
      DATABASE_URL: own.url,
      SEALING_KEYS: testVariables['SEALING_KEYS']!,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      BLOB_DIR: noBlobs,
    });
  });

  async function run(): Promise<{ exitCode: number; text: string }> {
    let text = '';
    const exitCode = await checkInvariants((line) => {
      text += line;
    });
    return { exitCode, text };
  }

  test('0: everything holds', async () => {
    const { exitCode, text } = await run();
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^(\d+) of \1 invariants hold\.\n$/);
  });

  test('1: violations are listed under their invariant, in the database, its files and Temporal', async () => {
    const { code } = await make.coupon(own.db);
    await execute(own.db, 'UPDATE coupons SET used_count = 2');
    await execute(
      own.db,
      `INSERT INTO parked_processes VALUES ('checkout:gone', 'checkout', 'x', 'lost', 'lost', now() - interval '1 hour', 'run')`,
    );
    const lost = newBlobName();
    await picture(own.db, lost);
    const { exitCode, text } = await run();
    expect(exitCode).toBe(1);
    expect(text).toContain(
      `BROKEN coupons.uses-are-counted: A coupon's counter is the number of orders that use it.\n` +
        `    ${code}: counted 2 times, used by 0 orders\n`,
    );
    expect(text).toMatch(/BROKEN processes\.parked-are-listed: .+\n {4}checkout:gone: .+does not run\n/);
    expect(text).toContain(
      `BROKEN blobs.of-rows-are-stored: The file of every document and of every picture is stored.\n    ${lost}: `,
    );
    const [, held, all] = /(\d+) of (\d+) invariants hold/.exec(text)!;
    expect(Number(all) - Number(held)).toBe(3);
  });

  test.each([
    ['the database', { DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' }],
    ['Temporal', { TEMPORAL_ADDRESS: '127.0.0.1:1' }],
    ['the configuration', { DATABASE_URL: 'nowhere' }],
  ])('2: %s is not there', async (_missing, variables) => {
    setVariables(variables);
    const { exitCode, text } = await run();
    expect(exitCode).toBe(2);
    expect(text).toMatch(/^The invariants could not be checked: ./);
  });
});
