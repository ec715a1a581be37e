import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { verifyAuditChain } from '../../../db/administration/audit.reads';
import { rows } from '../../../db/sql';
import { eventually } from '../../support/eventually';
import { arrangedFor, isArranged } from './arrangements';
import { filled, nameOf, roleFor, startScene, type Scene } from './scene';
import { sendArranged } from './send';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.world.teardown());

const deciding = endpoints.filter(
  ({ method, auth }) => method !== 'get' && (auth === 'admin' || auth === 'super-admin'),
);

interface Recorded {
  actorId: string | null;
  action: string;
  entityType: string;
  entityId: string;
  previous: object | null;
  next: object | null;
  clientAddress: string | null;
}

/** Records beside those that others made: what this scene’s administrator did. */
const recordsOf = (actorId: string): Promise<Recorded[]> =>
  rows<Recorded>(
    scene.world.db,
    `SELECT actor_id AS "actorId", action, entity_type AS "entityType", entity_id AS "entityId", previous, next,
            client_address AS "clientAddress" FROM audit_records WHERE actor_id = $1`,
    [actorId],
  );

/** What stood before where something begins or is merely decided: nothing. */
const BEGINS: readonly string[] = [
  'POST /admin/operations/:workflowId/retry',
  'POST /admin/operations/:workflowId/abandon',
];

test('every endpoint by which an administrator changes something is tried', () => {
  expect(deciding.filter((endpoint) => !isArranged(endpoint)).map(nameOf)).toEqual([]);
  expect(deciding.length).toBeGreaterThan(6);
});

test.each(deciding.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
  '$name leaves one audit record: who, what, of what, before and after, from where',
  async ({ name, endpoint }: { name: string; endpoint: Endpoint }) => {
    const administrator = await scene.person(roleFor(endpoint.auth)!);
    const arranged = await arrangedFor(scene, endpoint, administrator);
    const refused = await sendArranged(scene, endpoint, administrator, { ...arranged, params: {} });
    expect([refused.status, await recordsOf(administrator.user.id)]).toEqual([404, []]);

    const { status } = await sendArranged(scene, endpoint, administrator, arranged);
    expect(endpoint.success).toContain(status);
    const [record, ...more] = await eventually(async () => {
      const found = await recordsOf(administrator.user.id);
      expect(found).not.toEqual([]);
      return found;
    });
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      actorId: administrator.user.id,
      action: expect.stringMatching(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/) as string,
      entityType: expect.stringMatching(/^[a-z-]+$/) as string,
      clientAddress: expect.stringMatching(/127\.0\.0\.1|::1/) as string,
    });
    expect(filled(endpoint.path, arranged.params)).toContain(encodeURIComponent(record!.entityId));
    expect(record!.next).not.toBeNull();
    expect(record!.previous === null).toBe(BEGINS.includes(name));
  },
);

test('and the chain holds through all of it', async () => {
  expect(await verifyAuditChain(scene.world.db)).toMatchObject({ valid: true, brokenAt: null });
});
