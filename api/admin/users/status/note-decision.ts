import { z } from 'zod';
import { userStatus } from '../../../../db/identity/user/user.reads';
import { noSuchUser } from '../../../../workflows/identity/user-administration/administrator-access';
import type { Context } from '../../../http/handler-context';
import { noteOf } from '../../../http/idempotency/note';
import { text } from '../../../http/request/fields';

/** Why a user is suspended or banned. */
export const reason = () => text({ min: 1, max: 500 }).meta({ example: 'Chargebacks on three orders.' });

export const notifyUser = () =>
  z.boolean().nullish().meta({ description: 'True informs the user by email; left out: no email.' });

/** The text fields of an administrator's decision. */
export const decisionNote = () => text({ max: 2_000 }).nullish().meta({ example: 'Spoke to them.' });

/**
 * Stores who decides on this user, from which address and why, for the process that carries it out; returns the note's
 * id. Refuses with USER_NOT_FOUND.
 */
export async function noteDecision(
  userId: string,
  why: string | null,
  context: Pick<Context<'user'>, 'db' | 'caller' | 'mint' | 'request'>,
): Promise<string> {
  if ((await userStatus(context.db, userId)) === null) throw noSuchUser();
  return noteOf(context, why);
}
