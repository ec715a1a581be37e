import { z } from 'zod';
import { userStatus } from '../../../db/identity/user/user.reads';
import { refusal } from '../../../workflows/errors';
import type { Context } from '../../http/endpoint';
import { noteOf } from '../../http/idempotency/note';
import { text, uuid } from '../../http/request/fields';

/** The path of everything about one user. */
export const oneUser = z.object({ id: uuid() });

/** Why somebody is kept from acting. */
export const reason = () => text({ min: 1, max: 500 }).meta({ example: 'Chargebacks on three orders.' });

export const notifyUser = () =>
  z.boolean().nullish().meta({ description: 'Whether the user is told by mail; not unless asked for.' });

/** What an administrator may write beside a decision. */
export const decisionNote = () => text({ max: 2_000 }).nullish().meta({ example: 'Spoke to them.' });

/** Keeps who decides on this user, from where and why, for the process that will carry it out. Answers the note's id. */
export async function noteDecision(
  userId: string,
  why: string | null,
  context: Pick<Context<'user'>, 'db' | 'caller' | 'mint' | 'request'>,
): Promise<string> {
  if ((await userStatus(context.db, userId)) === null)
    throw refusal('USER_NOT_FOUND', 'There is no such user.');
  return noteOf(context, why);
}
