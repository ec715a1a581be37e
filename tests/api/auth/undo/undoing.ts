import { z } from 'zod';
import { firstRow } from '../../../../db/sql/query';
import { latestToken } from '../../../support/checks/mail';
import type { Guarded, Person, Server } from '../two-factor/guarded';

type Someone = Pick<Person, 'user'>;

export const Undone = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({ undone: z.string(), message: z.string().min(1) }),
});

/** A second factor to undo: the token of its mail, and the state before and after. */
export const undoing = (server: Server) => ({
  undo: (token: string) => server.http.post('/api/v1/auth/undo').send({ token }),
  tokenTo: ({ user }: Someone) => latestToken(server.db, user.email),
  logIn: ({ user: { email, password } }: Someone, more: object = {}) =>
    server.http.post('/api/v1/auth/login').send({ email, password, ...more }),
  /** The factor in force and how many backup codes it has. */
  factorOf: ({ user }: Someone) =>
    firstRow<{ method: string; codes: number }>(
      server.db,
      `SELECT method, (SELECT count(*)::int FROM backup_codes b WHERE b.user_id = f.user_id) AS codes
         FROM second_factors f WHERE user_id = $1 AND enabled_at IS NOT NULL`,
      [user.id],
    ),
  turnOff: ({ user, post, backupCodes }: Guarded) =>
    post('/auth/2fa/disable', { password: user.password, code: backupCodes[0] }),
});

/** The numbers of answers 200 and 400. */
export async function successesAndRefusals(requests: readonly PromiseLike<{ status: number }>[]) {
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  return [200, 400].map((status) => statuses.filter((each) => each === status).length);
}
