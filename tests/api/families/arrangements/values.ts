import { randomUUID } from 'node:crypto';
import { utcDayAgo } from '../../../support/builders/make/reconciliations';
import { nextNumber } from '../../../support/builders/make/insert';
import type { Ground, Person } from '../../../support/resources/ground';

type Value = (ground: Ground, as: Person) => unknown;

export const somePhone = (): string => `+49309018${String(1000 + nextNumber())}`;
export const someEmail = (): string => `family${nextNumber()}@example.com`;

async function refreshToken({ world }: Ground, { user }: Person): Promise<unknown> {
  const { email, password } = user;
  const { body } = await world.http.post('/api/v1/auth/login').send({ email, password });
  return body.data.refreshToken;
}

/**
 * Fields whose example cannot succeed in every world, by name: what must be free, what is the caller's own, and what would
 * have to fit the day. Undefined leaves the field out.
 */
export const VALUES: Readonly<Record<string, Value>> = {
  bankReference: () => randomUUID(),
  code: () => `family-${nextNumber()}`,
  currentPassword: (_, { user }) => user.password,
  day: () => utcDayAgo(3),
  email: (_, { user }) => user.email,
  externalReference: () => randomUUID(),
  password: (_, { user }) => user.password,
  phone: () => somePhone(),
  provider: () => 'sandbox',
  reference: () => randomUUID(),
  refreshToken,
  requestedLevel: () => 'ENHANCED',
  sku: () => `FAMILY-${nextNumber()}`,
  slug: () => undefined,
  timestamp: () => undefined,
  transactionId: () => randomUUID(),
};
