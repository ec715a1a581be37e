import { randomUUID } from 'node:crypto';
import { endpoints } from '../../../api/endpoints';
import { takesBody } from '../../../api/http/body/body';
import type { Endpoint } from '../../../api/http/endpoint';
import { firstRow, rows } from '../../../db/sql/query';
import type { Arranged } from './arrangements/arranged';
import type { Ground, Person } from '../../support/resources/ground';
import { shapeOf } from '../../support/resources/schemas';
import { notArranged } from './arrangements/arrangements';
import { roleFor, startFamilyWorld } from './arrangements/family-world';
import { arrangedFor } from './arrangements/requests';
import { routeOf } from '../../../api/docs/path';
import { sendArranged } from './arrangements/send';

let family: Ground;
let victim: Person;
beforeAll(async () => {
  family = await startFamilyWorld();
  victim = await family.person();
});
afterAll(() => family.world.teardown());

const SMUGGLED_ID = randomUUID();
/** Fields that no caller may set by adding them to a body. */
const smuggled = (): Record<string, unknown> => ({
  id: SMUGGLED_ID,
  userId: victim.user.id,
  roles: ['USER', 'ADMIN', 'SUPER_ADMIN'],
  role: 'SUPER_ADMIN',
  status: 'BANNED',
  kycLevel: 'ENHANCED',
  kycStatus: 'APPROVED',
  emailVerifiedAt: '2020-01-01T00:00:00.000Z',
  phoneVerifiedAt: '2020-01-01T00:00:00.000Z',
  region: 'APAC',
  passwordHash: '$argon2id$smuggled',
  email: 'smuggled@example.com',
  isPartner: true,
  sponsorId: randomUUID(),
  createdAt: '2020-01-01T00:00:00.000Z',
  amountMinor: 1,
  unitPrice: 0.01,
  total: 0.01,
});

const bodied = endpoints.filter(
  (endpoint) => takesBody(endpoint) && !endpoint.raw && !endpoint.upload && !(endpoint.id in notArranged),
);

/** Adds these fields to the body and to every object in it, except fields that the contract names. */
function withSmuggled(endpoint: Endpoint, body: Record<string, unknown>): Record<string, unknown> {
  const shape = shapeOf(endpoint.body);
  // Attributes of goods have names of their own, so that no field is unknown there.
  const hasFields = (name: string): boolean =>
    Object.keys(shape[name] ? shapeOf(shape[name]) : {}).length > 0;
  const within = Object.entries(body).map(([name, value]): [string, unknown] => [
    name,
    isObject(value) && hasFields(name) ? { ...smuggled(), ...value } : value,
  ]);
  const named = Object.keys(shape);
  const top = Object.entries(smuggled()).filter(([name]) => !named.includes(name));
  return { ...Object.fromEntries(top), ...Object.fromEntries(within) };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Facts {
  id: string;
  facts: string;
}

/** The protected facts of a user; a password only as «this one», since no two hashes are alike. */
const guarded = (): Promise<Facts[]> =>
  rows<Facts>(
    family.world.db,
    `SELECT id, concat_ws(' ', region, roles, status, kyc_status, kyc_level, sponsor_id,
       CASE WHEN email_verified_at IS NULL THEN 'unverified' WHEN email_verified_at < '2021-01-01' THEN 'smuggled'
            ELSE 'verified' END,
       CASE WHEN phone_verified_at IS NULL THEN 'unverified' WHEN phone_verified_at < '2021-01-01' THEN 'smuggled'
            ELSE 'verified' END,
       CASE WHEN created_at < '2021-01-01' OR email = 'smuggled@example.com' THEN 'smuggled' ELSE 'own' END,
       md5(password_hash)) AS facts FROM users`,
  );

/** The changes of protected facts, without ids. */
function changed(before: readonly Facts[], after: readonly Facts[]): string[] {
  const known = new Map(before.map(({ id, facts }) => [id, facts]));
  const withoutHash = (facts: string) => facts.replace(/ \w{32}$/, '');
  return after
    .filter(({ id, facts }) => known.get(id) !== facts)
    .map(({ id, facts }) => `${withoutHash(known.get(id) ?? 'new')} → ${withoutHash(facts)}`)
    .sort();
}

/** The user's orders and cart with their prices. */
const prices = ({ user }: Person) =>
  firstRow(
    family.world.db,
    `SELECT (SELECT sum(total_minor)::int FROM orders WHERE user_id = $1) AS ordered,
            (SELECT sum(i.quantity * i.shown_price_minor)::int FROM cart_items i JOIN carts c ON c.id = i.cart_id
              WHERE c.user_id = $1) AS in_cart`,
    [user.id],
  );

/** The numbers of rows of another user. */
async function victims(): Promise<Record<string, number>> {
  const tables = await rows<{ table: string }>(
    family.world.db,
    `SELECT table_name AS table FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'user_id' ORDER BY 1`,
  );
  const counts = await Promise.all(
    tables.map(async ({ table }) => {
      const found = await firstRow<{ n: number }>(
        family.world.db,
        `SELECT count(*)::int AS n FROM ${table} WHERE user_id = $1`,
        [victim.user.id],
      );
      return [table, found!.n] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** The request of one of two equal users: the facts that it changed, and its answer. */
async function twin(endpoint: Endpoint, smuggling: boolean) {
  const as = await family.person(roleFor(endpoint.auth) ?? 'USER');
  const arranged: Arranged = await arrangedFor(family, endpoint, as);
  const body = JSON.parse(JSON.stringify(arranged.body ?? {})) as Record<string, unknown>;
  const before = await guarded();
  const requested = { ...arranged, body: smuggling ? withSmuggled(endpoint, body) : body };
  const { status } = await sendArranged(family, endpoint, as, requested);
  return { status, changed: changed(before, await guarded()), prices: await prices(as) };
}

describe('API3: fields that the contract does not know have no effect', () => {
  test.each(bodied.map((endpoint) => ({ name: routeOf(endpoint), endpoint })))(
    '$name',
    async ({ endpoint }) => {
      const before = await victims();
      const honest = await twin(endpoint, false);
      const smuggler = await twin(endpoint, true);
      expect(endpoint.success).toContain(honest.status);
      expect(smuggler).toEqual(honest);
      expect(smuggler.changed.join()).not.toContain('smuggled');
      expect(await victims()).toEqual(before);
      const named = await rows(
        family.world.db,
        `SELECT 1 FROM users WHERE id = $1 UNION ALL SELECT 1 FROM addresses WHERE id = $1
       UNION ALL SELECT 1 FROM orders WHERE id = $1 UNION ALL SELECT 1 FROM sessions WHERE id = $1`,
        [SMUGGLED_ID],
      );
      expect(named).toEqual([]);
    },
  );
});
