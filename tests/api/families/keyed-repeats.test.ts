import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'supertest';
import { v7 } from 'uuid';
import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { takesKey } from '../../../api/http/answer/errors';
import { execute, rows } from '../../../db/sql/query';
import type { Ground } from '../../support/resources/ground';
import { notArranged } from './arrangements/arrangements';
import { roleFor, startFamilyWorld } from './arrangements/family-world';
import { arrangedFor } from './arrangements/requests';
import { routeOf } from '../../../api/docs/path';
import { sendArranged } from './arrangements/send';

let family: Ground;
beforeAll(async () => {
  family = await startFamilyWorld();
  await loseAnswers();
});
afterAll(() => family.world.teardown());

/**
 * From now on the API fails just before it stores the answer to a keyed request: that statement, made after the request
 * was carried out, fails. An answer that is stored in the transaction of the change itself is not lost, since such a
 * transaction has written before.
 */
async function loseAnswers(): Promise<void> {
  const { owner: db } = family.world;
  await execute(
    db,
    `CREATE FUNCTION lose_answer() RETURNS trigger LANGUAGE plpgsql AS '
       BEGIN
         IF pg_current_xact_id_if_assigned() IS NULL AND current_query() ~ ''SET state = .(DONE|OPEN)'' THEN
           RAISE ''The API died here.'';
         END IF;
         RETURN NULL;
       END'`,
  );
  await execute(
    db,
    `CREATE TRIGGER lose_answer BEFORE UPDATE ON idempotency_keys EXECUTE FUNCTION lose_answer()`,
  );
}

/** Half a minute later: the claims of the dead process are stale. */
const outlive = (key: string) =>
  execute(
    family.world.db,
    `UPDATE idempotency_keys SET claimed_at = claimed_at - interval '1 minute' WHERE key = $1`,
    [key],
  );

/**
 * A fingerprint of every table, except those of the kit itself and the rows that a repeated
 * request to reset a password leaves for a process that has ended: they send nothing and are deleted within a day.
 */
async function everything(): Promise<Record<string, string | null>> {
  const { db } = family.world;
  const tables = await rows<{ name: string }>(
    db,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
       AND tablename NOT IN ('idempotency_keys', 'rate_limits', 'password_reset_requests')`,
  );
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, (SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM "${name}" t) AS digest`,
  );
  const digests = await rows<{ name: string; digest: string | null }>(db, parts.join(' UNION ALL '));
  return Object.fromEntries(digests.map(({ name, digest }) => [name, digest]));
}

const QUIET_MS = 700;

/** The fingerprints once nothing has changed for a while: processes go on after an answer. */
async function settled(): Promise<Record<string, string | null>> {
  let before = await everything();
  for (let since = Date.now(); Date.now() - since < QUIET_MS;) {
    await pause(100);
    const now = await everything();
    if (JSON.stringify(now) !== JSON.stringify(before)) since = Date.now();
    before = now;
  }
  return before;
}

const keyed = endpoints.filter((endpoint) => takesKey(endpoint) && !(endpoint.id in notArranged));

test('there are many', () => {
  expect(keyed.length).toBeGreaterThan(30);
});

interface Repeated {
  first: Response;
  again: Response;
  /** The claims that `outlive` found. */
  claims: number;
}

/** Both answers of some endpoints, and the fingerprints after all first answers and after all second ones. */
interface Round {
  of: Map<string, Repeated>;
  after: object;
  afterRepeats: object;
}

/** Sends the requests of some endpoints at once, each of a new user, and then each again under its key. */
async function repeated(some: readonly Endpoint[]): Promise<Round> {
  const begun = await Promise.all(
    some.map(async (endpoint) => {
      const person = await family.person(roleFor(endpoint.auth) ?? 'USER');
      const arranged = await arrangedFor(family, endpoint, person);
      const key = v7();
      const send = () => sendArranged(family, endpoint, person, arranged, { 'Idempotency-Key': key });
      return { name: routeOf(endpoint), key, send, first: await send() };
    }),
  );
  const after = await settled();
  const ended = await Promise.all(
    begun.map(async ({ name, key, send, first }) => {
      const claims = await outlive(key);
      return [name, { first, claims, again: await send() }] as const;
    }),
  );
  return { of: new Map(ended), after, afterRepeats: await settled() };
}

/** Endpoints that are tried together, so that one wait for silence serves them all. */
const AT_ONCE = 8;
/** Neighbours in the list are in different rounds: a file for the bank takes all that others have collected. */
const ROUNDS = Math.ceil(keyed.length / AT_ONCE);
const rounds = new Map<number, Promise<Round>>();

/** The round of an endpoint, which its first test runs. */
function roundOf(endpoint: Endpoint): Promise<Round> {
  const number = keyed.indexOf(endpoint) % ROUNDS;
  const round = rounds.get(number) ?? repeated(keyed.filter((_, index) => index % ROUNDS === number));
  rounds.set(number, round);
  return round;
}

test.each(keyed.map((endpoint) => ({ name: routeOf(endpoint), endpoint })))(
  '$name: repeated under its key after its answer was lost, it has the same outcome and no second effect',
  async ({ name, endpoint }: { name: string; endpoint: Endpoint }) => {
    const { of, after, afterRepeats } = await roundOf(endpoint);
    const { first, again, claims } = of.get(name)!;
    expect(endpoint.success).toContain(first.status);
    expect(claims).toBe(1);
    expect({ status: again.status, body: again.body as unknown }).toEqual({
      status: first.status,
      body: first.body as unknown,
    });
    expect(afterRepeats).toEqual(after);
  },
);
