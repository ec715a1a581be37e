import { execute } from '../../../../../db/sql/query';
import { owedMessages } from '../../../../support/checks/mail';
import type { AdminWorld } from '../../admin-world';

let made = 0;
export const nextEmail = (): string => `moved${++made}@example.com`;
export const nextPhone = (): string => `+4930903${String(++made).padStart(3, '0')}`;

/** Makes a telephone number a user's proven number. */
export async function provePhone({ world }: AdminWorld, userId: string): Promise<string> {
  const phone = nextPhone();
  await execute(world.db, 'UPDATE users SET phone = $2, phone_verified_at = now() WHERE id = $1', [
    userId,
    phone,
  ]);
  return phone;
}

/** The code in the newest message to an address or a number. */
export async function lastCodeTo({ world }: AdminWorld, destination: string): Promise<string> {
  const messages = await owedMessages(world.db, 'recipient = $1', [destination]);
  return messages.findLast(({ code }) => code !== null)!.code!;
}

/** The text messages to a number, without those that carry codes. */
export async function textsTo({ world }: AdminWorld, phone: string): Promise<string[]> {
  const messages = await owedMessages(world.db, `recipient = $1 AND kind = 'SMS'`, [phone]);
  return messages.filter(({ code }) => code === null).map(({ text }) => text);
}
