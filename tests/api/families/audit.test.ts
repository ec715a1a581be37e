import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { verifyAuditChain } from '../../../db/administration/audit/audit.reads';
import { rows } from '../../../db/sql/query';
import { eventually } from '../../support/checks/eventually';
import { arrangedFor, isArranged } from './arrangements/arrangements';
import { filled, nameOf, roleFor, startFamilyWorld, type FamilyWorld } from './arrangements/family-world';
import { sendArranged } from './arrangements/send';

let family: FamilyWorld;
beforeAll(async () => {
  family = await startFamilyWorld();
});
afterAll(() => family.world.teardown());

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

/** The records of this test's administrator. */
const recordsOf = (actorId: string): Promise<Recorded[]> =>
  rows<Recorded>(
    family.world.db,
    `SELECT actor_id, action, entity_type, entity_id, previous, next,
            client_address FROM audit_records WHERE actor_id = $1`,
    [actorId],
  );

/** Endpoints without an earlier state: something begins, or is only decided. */
const BEGINS: readonly string[] = [
  'POST /admin/orders/:id/tracking-events',
  'POST /admin/products/:id/images',
  'POST /admin/products/:id/variants',
  'POST /admin/operations/:workflowId/retry',
  'POST /admin/operations/:workflowId/abandon',
];

/** True if it creates something: no id in its path, but in its answer, and no earlier state. */
const makes = ({ method, path }: Endpoint): boolean => method === 'post' && !path.includes(':');

/** The status that refuses an empty body or an unknown id. */
const wrongStatus = (endpoint: Endpoint): number => {
  if (makes(endpoint)) return endpoint.upload ? 415 : 400;
  return endpoint.path.endsWith('/:country') ? 400 : 404;
};

test('every endpoint by which an administrator changes something is tried', () => {
  expect(deciding.filter((endpoint) => !isArranged(endpoint)).map(nameOf)).toEqual([]);
  expect(deciding.length).toBeGreaterThan(6);
});

test.each(deciding.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
  '$name leaves one audit record: who, what, of what, before and after, from where',
  async ({ name, endpoint }: { name: string; endpoint: Endpoint }) => {
    const administrator = await family.person(roleFor(endpoint.auth)!);
    const arranged = await arrangedFor(family, endpoint, administrator);
    const wrong = makes(endpoint) ? { body: {} } : { ...arranged, params: {} };
    const refused = await sendArranged(family, endpoint, administrator, wrong);
    const refusal = wrongStatus(endpoint);
    expect([refused.status, await recordsOf(administrator.user.id)]).toEqual([refusal, []]);

    const { status, text } = await sendArranged(family, endpoint, administrator, arranged);
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
    const named = makes(endpoint) ? text : filled(endpoint.path, arranged.params);
    expect(named).toContain(encodeURIComponent(record!.entityId));
    expect(record!.next).not.toBeNull();
    expect(record!.previous === null).toBe(makes(endpoint) || BEGINS.includes(name));
  },
);

test('and the chain holds through all of it', async () => {
  expect(await verifyAuditChain(family.world.db)).toMatchObject({ valid: true, brokenAt: null });
});
