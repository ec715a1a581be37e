import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { takesKey } from '../../../api/http/answer/errors';
import { execute, rows } from '../../../db/sql/query';
import { arrangedFor, notArranged } from './arrangements/arrangements';
import { nameOf, roleFor, startScene, type Scene } from './arrangements/scene';
import { sendArranged } from './arrangements/send';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
  await loseAnswers();
});
afterAll(() => scene.world.teardown());

/**
 * From now on an API dies just before it keeps the answer to a keyed request: that statement, made after the request
 * was carried out, fails. An answer that is kept in the transaction of the change itself is not lost, for such a
 * transaction has written before.
 */
async function loseAnswers(): Promise<void> {
  const { owner: db } = scene.world;
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

/** Half a minute later: what the dead process had in hand may be taken up. */
const outlive = (key: string) =>
  execute(
    scene.world.db,
    `UPDATE idempotency_keys SET claimed_at = claimed_at - interval '1 minute' WHERE key = $1`,
    [key],
  );

/**
 * Every row of every table but those of the kit itself, by table, as a fingerprint. Not looked at is what a repeated
 * request to reset a password leaves for a process that has ended: it sends nothing, and is forgotten within a day.
 */
async function everything(): Promise<Record<string, string | null>> {
  const { db } = scene.world;
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

/** All of it once nothing has changed for a while: processes go on after an answer. */
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
    const person = await scene.person(roleFor(endpoint.auth) ?? 'USER');
    const arranged = await arrangedFor(scene, endpoint, person);
    const key = v7();
    const first = await sendArranged(scene, endpoint, person, arranged, { 'Idempotency-Key': key });
    expect(endpoint.success).toContain(first.status);
    const after = await settled();
    expect(await outlive(key)).toBe(1);
    const again = await sendArranged(scene, endpoint, person, arranged, { 'Idempotency-Key': key });
    expect({ status: again.status, body: again.body as unknown }).toEqual({
      status: first.status,
      body: first.body as unknown,
    });
    expect(await settled()).toEqual(after);
  },
);
