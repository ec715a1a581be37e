import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { eventually } from '../support/checks/eventually';
import { startKillingWorld, type KillingWorld } from '../support/worlds/killing-world';
import { askAuth, newcomer, registered } from '../support/builders/registering';

let world: KillingWorld;
let mailDir: string;
beforeAll(async () => {
  mailDir = await mkdtemp(join(tmpdir(), 'mail-'));
  world = await startKillingWorld({ variables: { MAIL_DIR: mailDir } });
});
afterAll(async () => {
  await world.teardown();
  await rm(mailDir, { recursive: true, force: true });
});

/** All mails that were sent to an address. */
async function sentTo(email: string): Promise<{ token: string }[]> {
  const names = (await readdir(mailDir)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(join(mailDir, name), 'utf8')));
  return texts.map((text) => JSON.parse(text)).filter(({ to }) => to === email);
}

const accountsOf = (email: string) => rows(world.db, 'SELECT id FROM users WHERE email = $1', [email]);
const someoneWaits = () =>
  eventually(async () => {
    const waiting = await rows(
      world.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });

/** Requires that the mail is sent once and that its token verifies the account. */
async function letsIn(email: string): Promise<void> {
  const token = await eventually(async () => {
    const mails = await sentTo(email);
    expect(mails).toHaveLength(1);
    return mails[0]!.token;
  });
  expect((await askAuth(world, 'verify-email', { token })).status).toBe(200);
  expect(await sentTo(email)).toHaveLength(1);
  expect(await accountsOf(email)).toHaveLength(1);
}

/** Keeps queued mails from being sent: the moment between a registration and its mail. */
async function mailsHeldBack<T>(meanwhile: () => Promise<T>): Promise<T> {
  await execute(
    world.owner,
    `CREATE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN NEW.due_at := now() + interval ''1 hour''; RETURN NEW; END'`,
  );
  await execute(
    world.owner,
    'CREATE TRIGGER held_back BEFORE INSERT ON outbox_messages FOR EACH ROW EXECUTE FUNCTION hold_back()',
  );
  const done = await meanwhile();
  await execute(world.owner, 'DROP TRIGGER held_back ON outbox_messages');
  await execute(world.db, 'UPDATE outbox_messages SET due_at = now()');
  return done;
}

describe('the worker is killed', () => {
  it('between registration and mail: the mail is still sent, once', async () => {
    const { email } = await mailsHeldBack(async () => {
      const entered = await registered(world);
      await world.worker.kill();
      return entered;
    });
    expect(await sentTo(email)).toEqual([]);
    await world.worker.start();
    await letsIn(email);
  });

  it('in the middle of registering: one account, one mail, sent once', async () => {
    const body = newcomer();
    await inTransaction(world.db, async (tx) => {
      await execute(tx, 'LOCK TABLE mailed_tokens IN SHARE MODE');
      void askAuth(world, 'register', body).catch(() => null);
      await someoneWaits();
      await world.worker.kill();
    });
    await world.worker.start();
    await letsIn(body.email);
  });
});
