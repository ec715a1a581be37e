import type { Db } from '../../../db/sql/query';
import { eventually } from '../checks/eventually';
import { mailsTo } from '../checks/mail';
import { askAuth } from './registering';
import type { World } from '../worlds/world';

/** Requests a password reset and waits for the mail; answers its token. */
export async function forgotten(world: Pick<World, 'http' | 'db'>, email: string): Promise<string> {
  const before = (await resets(world.db, email)).length;
  await askAuth(world, 'forgot-password', { email });
  return eventually(async () => {
    const mails = await resets(world.db, email);
    expect(mails).toHaveLength(before + 1);
    return mails.at(-1)!.token!;
  });
}

const resets = async (db: Db, email: string) =>
  (await mailsTo(db, email)).filter(({ reference }) => reference.startsWith('reset-password:'));
