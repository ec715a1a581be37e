import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { takesKey } from '../../../api/http/answer/errors';
import { execute, rows } from '../../../db/sql/query';
import { arrangedFor, notArranged } from './arrangements/arrangements';
import { nameOf, roleFor, startFamilyWorld, type FamilyWorld } from './arrangements/family-world';
import { sendArranged } from './arrangements/send';

let family: FamilyWorld;
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

const keyed = endpoints.filter((endpoint) => takesKey(endpoint) && !(nameOf(endpoint) in notArranged));

test('there are many', () => {
  expect(keyed.length).toBeGreaterThan(30);
});

test.each(keyed.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
  '$name: repeated under its key after its answer was lost, it has the same outcome and no second effect',
  async ({ endpoint }: { name: string; endpoint: Endpoint }) => {
    const person = await family.person(roleFor(endpoint.auth) ?? 'USER');
    const arranged = await arrangedFor(family, endpoint, person);
    const key = v7();
    const first = await sendArranged(family, endpoint, person, arranged, { 'Idempotency-Key': key });
    expect(endpoint.success).toContain(first.status);
    const after = await settled();
    expect(await outlive(key)).toBe(1);
    const again = await sendArranged(family, endpoint, person, arranged, { 'Idempotency-Key': key });
    expect({ status: again.status, body: again.body as unknown }).toEqual({
      status: first.status,
      body: first.body as unknown,
    });
    expect(await settled()).toEqual(after);
  },
);
