import { v7 } from 'uuid';
import {
  claimRequest,
  concludeClaim,
  earlierRequest,
  forgetSurplusKeys,
  reopenClaim,
} from '../../../db/administration/idempotency/idempotency.writes';
import { isNoteStored, storeNote } from '../../../db/administration/idempotency/request-note.writes';
import { park, unpark } from '../../../db/administration/operations/parking.writes';
import { forgetExpired } from '../../../db/administration/retention/retention.transitions';
import { cartLines } from '../../../db/commerce/cart/cart.reads';
import { storeWebhookEvent } from '../../../db/administration/webhook/webhook-event.writes';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { insert } from '../../support/builders/make/insert';
import { ownDatabase } from '../../support/servers/database';
import { attempted } from '../../support/builders/partnering/entering';
import { withPayments } from '../../support/builders/wallets/paid-for';
import { invested } from '../../support/builders/investing/invested';
import { given } from '../../support/builders/given';

describe('retention', () => {
  const own = ownDatabase();
  const at = new Date('2026-11-22T04:00:00.000Z');
  const DAY_MS = 86_400_000;
  const ago = (days: number, laterByMs = 0): Date => new Date(at.getTime() - days * DAY_MS + laterByMs);
  const forget = (options?: Parameters<typeof forgetExpired>[3], policy = policyFrom({})) =>
    forgetExpired(own.db, at, policy, options);

  beforeEach(() =>
    execute(
      own.owner,
      'TRUNCATE webhook_events, outbox_messages, sandbox_events, sandbox_payments, sandbox_refunds',
    ),
  );

  describe('notes of requests', () => {
    const note = async (createdAt: Date, entityId = v7()): Promise<string> => {
      const id = v7();
      await storeNote(own.db, id, { actorId: v7(), clientAddress: '192.0.2.7', text: 'Too big.', entityId });
      await execute(own.db, 'UPDATE request_notes SET created_at = $2 WHERE id = $1', [id, createdAt]);
      return id;
    };

    test('are deleted after ninety days, or as long as the policy says', async () => {
      const [kept, young, old] = [await note(ago(29)), await note(ago(90)), await note(ago(90, -1))];
      expect(await forget()).toMatchObject({ requestNotes: 1 });
      expect([await isNoteStored(own.db, old), await isNoteStored(own.db, young)]).toEqual([false, true]);
      const shorter = policyFrom({ POLICY_REQUEST_NOTE_DAYS: '30' });
      expect(await forget({}, shorter)).toMatchObject({ requestNotes: 1 });
      expect([await isNoteStored(own.db, young), await isNoteStored(own.db, kept)]).toEqual([false, true]);
    });

    test('that of a parked bank transfer stays, which reads it when it is tried again; all others go', async () => {
      const workflowId = `bank-transfer:${v7()}`;
      const parked = { workflowId, type: 'bankTransfer', entityId: v7(), reason: 'x', lastError: 'x' };
      const [old, other] = [await note(ago(100), parked.entityId), await note(ago(100))];
      await park(own.db, { ...parked, runId: 'run', since: ago(99).toISOString() });
      expect(await forget()).toMatchObject({ requestNotes: 1 });
      expect([await isNoteStored(own.db, old), await isNoteStored(own.db, other)]).toEqual([true, false]);
      await unpark(own.db, workflowId, new Date());
      expect(await forget()).toMatchObject({ requestNotes: 1 });
      expect(await isNoteStored(own.db, old)).toBe(false);
    });
  });

  describe('bodies of webhook events', () => {
    async function event(
      status: string,
      processedAt: Date | null,
      subject: string | null = null,
    ): Promise<string> {
      const id = v7();
      await execute(
        own.db,
        `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at, processed_at, subject)
       VALUES ($1, 'stripe', $1::uuid::text, 'x', '{"customer": "Ada"}', 'hash', $2, $4, $3, $5)`,
        [id, status, processedAt, processedAt ?? ago(40), subject],
      );
      return id;
    }
    const bodyOf = async (id: string) =>
      (await firstRow<{ body: string | null }>(own.db, 'SELECT body FROM webhook_events WHERE id = $1', [
        id,
      ]))!.body;

    test('are emptied thirty days after the event was processed or ignored, to the millisecond', async () => {
      const kept = [
        await event('PROCESSED', ago(30)),
        await event('IGNORED', ago(29)),
        await event('DEAD', ago(90)),
        await event('WAITING', null),
        await event('RECEIVED', null),
      ];
      const emptied = [
        await event('PROCESSED', ago(30, -1)),
        await event('IGNORED', ago(31)),
        await event('PROCESSED', null),
      ];
      expect(await forget()).toMatchObject({ webhookBodies: 3 });
      for (const id of kept) expect(await bodyOf(id)).not.toBeNull();
      for (const id of emptied) expect(await bodyOf(id)).toBeNull();
      expect(await forget()).toMatchObject({ webhookBodies: 0 });
    });

    test('are kept as long as the policy says', async () => {
      const id = await event('PROCESSED', ago(8));
      expect(await forget({}, policyFrom({ POLICY_WEBHOOK_BODY_DAYS: '9' }))).toMatchObject({
        webhookBodies: 0,
      });
      expect(await forget({}, policyFrom({ POLICY_WEBHOOK_BODY_DAYS: '7' }))).toMatchObject({
        webhookBodies: 1,
      });
      expect(await bodyOf(id)).toBeNull();
    });

    test('once emptied, a repeat is still known as one, by its id and hash', async () => {
      const report = {
        id: v7(),
        provider: 'stripe',
        externalEventId: 'evt_1',
        type: 'x',
        body: '{}',
        bodyHash: 'h1',
      };
      await storeWebhookEvent(own.db, { ...report, known: true, at: ago(40) });
      await execute(
        own.db,
        `UPDATE webhook_events SET status = 'PROCESSED', started_at = $1, processed_at = $1`,
        [ago(40)],
      );
      await forget();
      const again = await storeWebhookEvent(own.db, { ...report, id: v7(), known: true, at });
      expect(again).toEqual({ id: report.id, bodyHash: 'h1', replays: 0, unstarted: false, fresh: false });
    });

    test('of an account that was erased are emptied at the next run, others are not', async () => {
      const [ada, bob] = [await given(own.db).order(), await given(own.db).order()];
      const [eve, zoe, kay] = [await invested(own.db), await attempted(own.db), await withPayments(own.db)];
      const named = ({ attemptId }: { attemptId: string }) => event('PROCESSED', ago(1), attemptId);
      const bodies = await Promise.all([ada, bob, eve, zoe, kay].map(named));
      const erasing = 'UPDATE users SET erased_at = $2, password_hash = NULL WHERE id = ANY ($1)';
      await execute(own.db, erasing, [[ada, eve, zoe, kay].map((one) => one.userId), ago(0.5)]);
      expect(await forget()).toMatchObject({ webhookBodies: 4 });
      expect(await Promise.all(bodies.map(bodyOf))).toEqual([null, expect.any(String), null, null, null]);
    });

    test('goes on in small batches, and ends between two of them when it is told to', async () => {
      for (let n = 0; n < 7; n++) await event('PROCESSED', ago(31));
      const stop = new AbortController();
      stop.abort();
      await expect(forget({ signal: stop.signal })).rejects.toThrow('aborted');
      expect(await forget({ batch: 3 })).toMatchObject({ webhookBodies: 7 });
    });

    test('what somebody holds at that moment is left for the next run, which waits for nobody', async () => {
      const held = await event('PROCESSED', ago(31));
      const transaction = await own.db.sequelize.transaction();
      await execute({ ...own.db, transaction }, 'SELECT 1 FROM webhook_events WHERE id = $1 FOR UPDATE', [
        held,
      ]);
      expect(await forget()).toMatchObject({ webhookBodies: 0 });
      await transaction.rollback();
      expect(await forget()).toMatchObject({ webhookBodies: 1 });
    });
  });

  test('messages are deleted ninety days after they were written, when they are out or given up', async () => {
    const message = (status: string, created: Date) =>
      execute(
        own.db,
        `INSERT INTO outbox_messages (id, kind, reference, recipient, sealed_payload, status, due_at, dead_at, content_gone, created_at)
       VALUES ($1, 'MAIL', $1::uuid::text, 'a@b.c', CASE WHEN $2 = 'WAITING' THEN 'x'::bytea END, $2, $3,
         CASE WHEN $2 = 'DEAD' THEN $3::timestamptz END, CASE WHEN $2 = 'DEAD' THEN 'EXPIRED' END, $3)`,
        [v7(), status, created],
      );
    await message('SENT', ago(90, -1));
    await message('DEAD', ago(91));
    await message('SENT', ago(90));
    await message('DEAD', ago(89));
    await message('WAITING', ago(400));
    expect(await forget()).toMatchObject({ outboxMessages: 2 });
    expect(await rows(own.db, 'SELECT 1 FROM outbox_messages')).toHaveLength(3);
  });

  describe('of the sandbox provider', () => {
    async function payment(created: Date, { delivered = true } = {}): Promise<string> {
      const id = v7();
      await execute(own.db, `INSERT INTO sandbox_payments VALUES ($1, $2, 100, 'USD', 'PAID', $3)`, [
        id,
        v7(),
        created,
      ]);
      await execute(own.db, `INSERT INTO sandbox_events VALUES ($1, 'payment.paid', $2, 0, $3, $4)`, [
        v7(),
        id,
        created,
        delivered ? created : null,
      ]);
      return id;
    }
    const left = async () =>
      (await rows<{ id: string }>(own.db, 'SELECT id FROM sandbox_payments')).map(({ id }) => id);

    test('payments and their reports are deleted after thirty days, with the refunds of them', async () => {
      const kept = [await payment(ago(30)), await payment(ago(29))];
      const gone = await payment(ago(30, -1));
      for (const [id, created] of [
        [gone, ago(31)],
        [kept[0], ago(31)],
      ] as const)
        await execute(
          own.db,
          `INSERT INTO sandbox_refunds VALUES ($1::uuid || ':1', $1::uuid, $2, 100, 'USD', $3)`,
          [v7(), id, created],
        );
      expect(await forget()).toMatchObject({ sandboxRows: 3 });
      expect((await left()).sort()).toEqual(kept.sort());
      expect(await rows(own.db, 'SELECT payment_id AS id FROM sandbox_refunds')).toEqual([{ id: kept[0] }]);
    });

    test('nothing is deleted that was not reported yet', async () => {
      const untold = await payment(ago(300), { delivered: false });
      expect(await forget()).toMatchObject({ sandboxRows: 0 });
      expect(await left()).toEqual([untold]);
    });
  });
});

describe('carts', () => {
  const own = ownDatabase();
  const at = new Date();
  const days = (n: number): number => n * 86_400_000;

  /** A cart with goods and a coupon that was not changed for so long. */
  async function unchangedFor(ms: number): Promise<{ userId: string; cartId: string }> {
    const { id: userId } = await make.user(own.db);
    const { id: productId } = await make.product(own.db);
    const cartId = await make.cart(own.db, userId, [{ productId }]);
    const { id: couponId } = await make.coupon(own.db);
    await execute(own.db, 'INSERT INTO cart_coupons (cart_id, coupon_id, added_at) VALUES ($1, $2, now())', [
      cartId,
      couponId,
    ]);
    await execute(own.db, 'UPDATE carts SET updated_at = $2 WHERE id = $1', [
      cartId,
      new Date(at.getTime() - ms),
    ]);
    return { userId, cartId };
  }

  const rowsOf = async (cartId: string): Promise<number> =>
    (await firstRow<{ n: number }>(
      own.db,
      `SELECT ((SELECT count(*) FROM carts WHERE id = $1) + (SELECT count(*) FROM cart_items WHERE cart_id = $1) +
       (SELECT count(*) FROM cart_coupons WHERE cart_id = $1))::int AS n`,
      [cartId],
    ))!.n;

  test('carts that nobody can see any more are removed with all that is in them, and no others', async () => {
    const kept = [await unchangedFor(0), await unchangedFor(days(90) - 60_000)];
    const gone = [await unchangedFor(days(90)), await unchangedFor(days(900))];
    for (const { userId } of gone) expect(await cartLines(own.db, userId, 90)).toBeNull();
    expect((await forgetExpired(own.db, at, policyFrom({}))).carts).toBe(2);
    for (const { cartId } of gone) expect(await rowsOf(cartId)).toBe(0);
    for (const { userId, cartId } of kept)
      expect([await rowsOf(cartId), (await cartLines(own.db, userId, 90))?.lines.length]).toEqual([3, 1]);
    expect((await forgetExpired(own.db, at, policyFrom({}))).carts).toBe(0);
  });
});

describe('sign-in codes', () => {
  const own = ownDatabase();

  test('codes, half-done sign-ins and setups go a day after their time; a second factor in force stays', async () => {
    const at = new Date();
    const ago = (hours: number) => new Date(at.getTime() - hours * 3_600_000);
    for (const hours of [23, 25]) {
      const { id: user_id } = await make.user(own.db);
      await insert(own.db, 'sent_codes', {
        id: user_id,
        user_id,
        purpose: 'PHONE',
        channel: 'SMS',
        destination: `${hours} h`,
        code_sealed: Buffer.from('sealed'),
        created_at: ago(hours),
        expires_at: ago(hours),
      });
      await insert(own.db, 'login_challenges', {
        token_hash: `${hours} h`,
        user_id,
        created_at: ago(hours),
        expires_at: ago(hours),
      });
      await insert(own.db, 'second_factors', { user_id, method: 'SMS', created_at: ago(hours) });
    }
    const { id: user_id } = await make.user(own.db);
    await insert(own.db, 'second_factors', {
      user_id,
      method: 'EMAIL',
      created_at: ago(1000),
      enabled_at: ago(1000),
    });
    expect(await forgetExpired(own.db, at, policyFrom({}))).toMatchObject({ signInCodes: 3 });
    expect(await rows(own.db, 'SELECT destination FROM sent_codes')).toEqual([{ destination: '23 h' }]);
    expect(await rows(own.db, 'SELECT token_hash FROM login_challenges')).toEqual([{ tokenHash: '23 h' }]);
    expect(await rows(own.db, 'SELECT method FROM second_factors ORDER BY method')).toEqual([
      { method: 'EMAIL' },
      { method: 'SMS' },
    ]);
  });
});

describe('idempotency keys', () => {
  const own = ownDatabase();
  const named = (owner = 'user:ann') => ({ owner, route: 'post /things', key: v7() });
  const age = (key: string, interval: string) =>
    execute(own.db, `UPDATE idempotency_keys SET claimed_at = claimed_at - $2::interval WHERE key = $1`, [
      key,
      interval,
    ]);

  test('a request that was left open is not taken up by another body under its key', async () => {
    const name = named();
    const first = (await claimRequest(own.db, name, 'one'))!;
    await reopenClaim(own.db, first, { spent: false });
    expect(await claimRequest(own.db, name, 'two')).toBeNull();
    expect(await earlierRequest(own.db, name, 'two')).toEqual({ state: 'another body' });
    expect(await claimRequest(own.db, name, 'one')).not.toBeNull();
  });

  test('a request whose holder died is not taken up by another body either', async () => {
    const name = named();
    await claimRequest(own.db, name, 'one');
    await age(name.key, '31 seconds');
    expect(await claimRequest(own.db, name, 'two')).toBeNull();
  });

  test('a holder that was taken for dead concludes nothing while the second is still at work', async () => {
    const name = named();
    const claim = (await claimRequest(own.db, name, 'one'))!;
    await age(name.key, '31 seconds');
    // As the holder knows it: both claims can fall into one millisecond here.
    const slow = { ...claim, claimedAt: new Date(claim.claimedAt.getTime() - 31_000) };
    const second = (await claimRequest(own.db, name, 'one'))!;
    expect(await concludeClaim(own.db, slow, 400, '{"slow":true}')).toBe(false);
    await reopenClaim(own.db, slow, { spent: true });
    expect(await earlierRequest(own.db, name, 'one')).toEqual({ state: 'in progress' });
    expect(await concludeClaim(own.db, second, 201, '{}')).toBe(true);
    expect(await earlierRequest(own.db, name, 'one')).toEqual({ state: 'done', status: 201, body: '{}' });
  });

  test('tries are counted where an outcome is spent, and only there', async () => {
    const name = named();
    const tries: number[] = [];
    for (const spent of [false, true, true, false]) {
      const claim = (await claimRequest(own.db, name, 'one'))!;
      tries.push(claim.tries);
      await reopenClaim(own.db, claim, { spent });
    }
    expect(tries).toEqual([1, 1, 2, 3]);
  });

  test('of a network’s keys those without an answer are kept, whatever its others ask', async () => {
    const owner = 'network:192.0.2.9';
    const unanswered = (await claimRequest(own.db, named(owner), 'one'))!;
    await reopenClaim(own.db, unanswered, { spent: false });
    for (let i = 0; i < 5; i++)
      await concludeClaim(own.db, (await claimRequest(own.db, named(owner), 'one'))!, 200, '{}');
    expect(await forgetSurplusKeys(own.db, owner, 2)).toBe(3);
    expect(await earlierRequest(own.db, unanswered, 'one')).toEqual({ state: 'open' });
  });

  test('of a network’s keys the newest are kept, and those in hand', async () => {
    const owner = 'address:192.0.2.7';
    const claims = [];
    for (let i = 0; i < 6; i++) {
      const claim = (await claimRequest(own.db, named(owner), 'one'))!;
      await execute(
        own.db,
        `UPDATE idempotency_keys SET created_at = now() - make_interval(mins => $2) WHERE key = $1`,
        [claim.key, 10 - i],
      );
      claims.push(claim);
      if (i > 0) await concludeClaim(own.db, claim, 200, '{}');
    }
    const other = (await claimRequest(own.db, named('address:192.0.2.8'), 'one'))!;
    expect(await forgetSurplusKeys(own.db, owner, 2)).toBe(3);
    const left = await rows<{ key: string }>(
      own.db,
      `SELECT key FROM idempotency_keys WHERE owner LIKE 'address:%' ORDER BY created_at`,
    );
    expect(left.map(({ key }) => key)).toEqual(
      [claims[0], claims[4], claims[5], other].map((claim) => claim!.key),
    );
  });
});
