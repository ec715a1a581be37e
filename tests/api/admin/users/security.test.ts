import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { serve } from '../../../../api/http/serve';
import { issueToken } from '../../../../db/identity/mailed-token/mailed-token.writes';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { forgotten } from '../../../support/builders/resetting';
import { inShort, securityEventsIn } from '../../../support/checks/security-events';
import { mailsTo } from '../../../support/checks/mail';
import { logIn, signIn } from '../../../support/builders/sign-in';
import { get } from '../../http/client';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

const lines: string[] = [];
let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ lines, queues: ['interactive'] });
});
afterAll(() => adminWorld.world.teardown());

describe('security events', () => {
  const decide = async (path: string, body: object) => {
    const { status } = await adminWorld.ask('post', path, body, adminWorld.tokens.superAdmin);
    expect(status).toBe(200);
  };

  test('decisions of administrators on an account, and a password reset, are logged and counted', async () => {
    const { world } = adminWorld;
    const measuring = await serve(world.metrics.page, 0);
    expect((await get(measuring.port, '/metrics')).body).toContain(
      'security_events_total{event="account-banned",outcome="success"} 0',
    );
    const user = await make.user(world.db);
    await make.secondFactor(world.db, user.id);
    lines.splice(0);
    await adminWorld.ask(
      'patch',
      `/admin/users/${user.id}`,
      { roles: ['USER', 'ADMIN'] },
      adminWorld.tokens.superAdmin,
    );
    // The second changes nothing, so it is no event.
    for (let time = 0; time < 2; time++)
      await adminWorld.ask(
        'patch',
        `/admin/users/${user.id}`,
        { roles: ['USER'] },
        adminWorld.tokens.superAdmin,
      );
    await decide(`/admin/users/${user.id}/reset-two-factor`, {});
    const token = await forgotten(world, user.email);
    const password = 'Umbrella-9-tango-Walrus';
    await world.http.post('/api/v1/auth/reset-password').send({ token, password, confirmPassword: password });
    await decide(`/admin/users/${user.id}/suspend`, { reason: 'Looked odd.' });
    await decide(`/admin/users/${user.id}/ban`, { reason: 'Was odd.' });
    const events = securityEventsIn(lines);
    expect(events.map(inShort)).toEqual([
      'role-change success USER,ADMIN',
      'role-change success USER',
      'two-factor-reset success',
      'password-reset success',
      'account-suspended success',
      'account-banned success',
    ]);
    expect(new Set(events.map(({ account }) => account)).size).toBe(1);
    const { body } = await get(measuring.port, '/metrics');
    for (const event of ['account-banned', 'account-suspended', 'password-reset', 'two-factor-reset'])
      expect(body).toContain(`security_events_total{event="${event}",outcome="success"} 1`);
    expect(body).toContain('security_events_total{event="role-change",outcome="success"} 2');
    expect(body).toContain('security_events_total{event="login",outcome="failure"} 0');
    await measuring.drain();
  });
});

describe('POST /admin/users/:id/reset-two-factor', () => {
  const reset = (id: string, token: string | null = adminWorld.tokens.superAdmin) =>
    adminWorld.ask('post', `/admin/users/${id}/reset-two-factor`, undefined, token);
  const factorsOf = (id: string) =>
    rows(adminWorld.world.db, 'SELECT 1 FROM second_factors WHERE user_id = $1', [id]);

  /** A user who signed in before the second factor was enabled. */
  async function guarded(roles: ('USER' | 'ADMIN' | 'SUPER_ADMIN')[] = ['USER']) {
    const user = await make.user(adminWorld.world.db, { roles });
    const token = await signIn(adminWorld.world, user);
    await make.secondFactor(adminWorld.world.db, user.id);
    return { user, token };
  }

  const Answer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({ userId: z.uuid(), resetAt: z.iso.datetime(), resetBy: z.uuid() }),
  });

  describe('200', () => {
    test('the factor is gone with its codes, sessions end, the owner is informed, and the audit has it', async () => {
      const { world, superAdmin } = adminWorld;
      const { user, token } = await guarded();
      const answer = await reset(user.id);
      expect(answer.status).toBe(200);
      expect(Answer.parse(answer.body).data).toMatchObject({ userId: user.id, resetBy: superAdmin.id });
      expect(await factorsOf(user.id)).toEqual([]);
      expect(await rows(world.db, 'SELECT 1 FROM backup_codes WHERE user_id = $1', [user.id])).toEqual([]);
      expect(outcomeOf(await adminWorld.ask('get', '/users/me', undefined, token))).toBe('401 UNAUTHORIZED');
      const ended = await firstRow(
        world.db,
        'SELECT revoke_reason AS reason FROM sessions WHERE user_id = $1',
        [user.id],
      );
      expect(ended).toEqual({ reason: 'ADMIN' });
      const [mail] = await mailsTo(world.db, user.email);
      expect(mail).toMatchObject({ subject: 'Two-factor sign-in was reset', token: null });
      expect(mail!.text).toMatch(/^Hello Ada,\n/);
      const record = await firstRow(
        world.db,
        'SELECT actor_id AS by, action, previous, next FROM audit_records WHERE entity_id = $1',
        [user.id],
      );
      expect(record).toEqual({
        by: superAdmin.id,
        action: 'user.reset-two-factor',
        previous: { twoFactorMethod: 'EMAIL' },
        next: { twoFactorMethod: null },
      });
      await expect(logIn(world, user)).resolves.toEqual(expect.any(String));
    });

    test('L8: an SMS factor whose number an administrator changed has a way back', async () => {
      const { world } = adminWorld;
      const { user } = await guarded();
      await execute(world.db, `UPDATE second_factors SET method = 'SMS' WHERE user_id = $1`, [user.id]);
      const changed = await adminWorld.ask('patch', `/admin/users/${user.id}`, { phone: '+4930901820' });
      expect(changed.status).toBe(200);
      const { email, password } = user;
      const { body } = await world.http.post('/api/v1/auth/login').send({ email, password });
      expect(body.data).toMatchObject({ requiresTwoFactor: true, methods: ['SMS'] });
      expect(await rows(world.db, 'SELECT 1 FROM sent_codes WHERE user_id = $1', [user.id])).toEqual([]);
      expect((await reset(user.id)).status).toBe(200);
      await expect(logIn(world, user)).resolves.toEqual(expect.any(String));
    });

    test('a token mailed about an earlier factor restores nothing', async () => {
      const { db } = adminWorld.world;
      const { user } = await guarded();
      await inTransaction(db, (tx) =>
        issueToken(tx, {
          id: randomUUID(),
          userId: user.id,
          purpose: 'UNDO_TWO_FACTOR_OFF',
          lifetimeMs: 60_000,
          at: new Date(),
          undoSealed: Buffer.from('sealed'),
        }),
      );
      expect((await reset(user.id)).status).toBe(200);
      expect(
        await rows(db, 'SELECT superseded_at IS NOT NULL AS over FROM mailed_tokens WHERE user_id = $1', [
          user.id,
        ]),
      ).toEqual([{ over: true }]);
    });

    test('of another SUPER_ADMIN too', async () => {
      const { user } = await guarded(['USER', 'SUPER_ADMIN']);
      expect((await reset(user.id)).status).toBe(200);
    });

    test('requested twice at once, it is done once', async () => {
      const { user } = await guarded();
      const outcomes = (await Promise.all([reset(user.id), reset(user.id)])).map(outcomeOf);
      expect(outcomes.sort()).toEqual(['200', '400 TWO_FACTOR_NOT_ENABLED']);
      expect(await mailsTo(adminWorld.world.db, user.email)).toHaveLength(1);
    });
  });

  describe('refusals', () => {
    test('403 FORBIDDEN for an ADMIN, and for an own account', async () => {
      const { user } = await guarded();
      expect(outcomeOf(await reset(user.id, adminWorld.tokens.admin))).toBe('403 FORBIDDEN');
      expect(await factorsOf(user.id)).toHaveLength(1);
      const own = await guarded(['USER', 'SUPER_ADMIN']);
      expect(outcomeOf(await reset(own.user.id, own.token))).toBe('403 FORBIDDEN');
      expect(await factorsOf(own.user.id)).toHaveLength(1);
    });

    test('400 TWO_FACTOR_NOT_ENABLED without one, or with one that was only set up', async () => {
      expect(outcomeOf(await reset(adminWorld.user.id))).toBe('400 TWO_FACTOR_NOT_ENABLED');
      const { user } = await guarded();
      await execute(adminWorld.world.db, 'UPDATE second_factors SET enabled_at = NULL WHERE user_id = $1', [
        user.id,
      ]);
      expect(outcomeOf(await reset(user.id))).toBe('400 TWO_FACTOR_NOT_ENABLED');
    });

    test('404 USER_NOT_FOUND; 400 VALIDATION_ERROR; 401 UNAUTHORIZED', async () => {
      expect(outcomeOf(await reset(randomUUID()))).toBe('404 USER_NOT_FOUND');
      expect(outcomeOf(await reset('nonsense'))).toBe('400 VALIDATION_ERROR');
      expect(outcomeOf(await reset(randomUUID(), null))).toBe('401 UNAUTHORIZED');
    });
  });
});
