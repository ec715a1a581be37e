import { execute, firstRow, rows } from '../../../../db/sql';
import type { Office } from '../office';

let made = 0;
export const nextEmail = (): string => `moved${++made}@example.com`;
export const nextPhone = (): string => `+4930903${String(++made).padStart(3, '0')}`;

/** A telephone number that is shown to be this user's. */
export async function givePhone({ world }: Office, userId: string): Promise<string> {
  const phone = nextPhone();
  await execute(world.db, 'UPDATE users SET phone = $2, phone_verified_at = now() WHERE id = $1', [
    userId,
    phone,
  ]);
  return phone;
}

/** The code in the newest message to an address or a number. */
export async function lastCodeTo({ world }: Office, destination: string): Promise<string> {
  const row = await firstRow<{ code: string }>(
    world.db,
    `SELECT payload->>'code' AS code FROM outbox_messages WHERE recipient = $1 AND payload ? 'code'
      ORDER BY created_at DESC, id DESC LIMIT 1`,
    [destination],
  );
  return row!.code;
}

/** The text messages to a number, without those that carry codes. */
export async function textsTo({ world }: Office, phone: string): Promise<string[]> {
  const texts = await rows<{ text: string }>(
    world.db,
    `SELECT payload->>'text' AS text FROM outbox_messages
      WHERE recipient = $1 AND kind = 'SMS' AND NOT payload ? 'code'`,
    [phone],
  );
  return texts.map(({ text }) => text);
}
