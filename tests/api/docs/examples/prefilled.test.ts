import type { Response } from 'supertest';
import { routeOf } from '../../../../api/docs/path';
import { endpoints } from '../../../../api/endpoints';
import type { Endpoint } from '../../../../api/http/endpoint';
import { isLeaving } from '../../../fuzz/world/fuzz-world';
import { ownWorld } from '../../../support/worlds/world';
import { filled } from '../../families/arrangements/family-world';
import type { ErrorCode } from '../../../../workflows/errors';
import { picture } from '../../users/pictures';
import { prefilled, seedDemo, signInDemo } from './demo-world';

const answers = new Map<string, Response>();
const world = ownWorld();
beforeAll(async () => {
  await seedDemo(world);
  for (const endpoint of inOrder()) answers.set(endpoint.id, await send(endpoint));
});

/** Requests in an order in which few spoil another: reads, changes, removals, and what ends the account. */
function inOrder(): Endpoint[] {
  const rank = (endpoint: Endpoint): number =>
    isLeaving(endpoint) ? 3 : (({ get: 0, delete: 2 } as Record<string, number>)[endpoint.method] ?? 1);
  return [...endpoints].sort((one, other) => rank(one) - rank(other));
}

/** Sends what the page would send; the file of a form is one that a person would choose. */
async function send(endpoint: Endpoint): Promise<Response> {
  const { params, query, body } = prefilled(endpoint);
  const path = `/api/v1${filled(endpoint.path, params)}`;
  const request = world.http[endpoint.method](path).query(query).redirects(0);
  if (endpoint.auth !== 'public') {
    void request.auth(await signInDemo(world, personFor(endpoint)), { type: 'bearer' });
  }
  if (endpoint.upload) void request.attach(endpoint.upload.field, ...(await fileFor(endpoint)));
  else if (body) void request.type(endpoint.form ? 'form' : 'json').send(body);
  return request;
}

/** The account of the demo that would use it. */
function personFor({ auth, path }: Endpoint): 'buyer' | 'investor' | 'admin' {
  if (auth === 'admin' || auth === 'super-admin') return 'admin';
  return path.startsWith('/investment/') ? 'investor' : 'buyer';
}

const fileFor = async ({ path }: Endpoint): Promise<[Buffer, string]> =>
  path.endsWith('/import')
    ? [
        Buffer.from(
          'sku,name,description,price,status,commissionPercentage,careerPointsPercentage\nKETTLE-2L,Large kettle,Boils two litres.,44.9,DRAFT,10,100\n',
        ),
        'products.csv',
      ]
    : [await picture('png'), 'picture.png'];

/** Refusals that every endpoint may have for what is valid; of the others only its own. */
const GENERAL: Endpoint['errors'] = { VALIDATION_ERROR: 400 };

/** Fields whose example cannot be right on every day. */
const OUT_OF_DATE: Readonly<Record<string, readonly string[]>> = { startReconciliationRun: ['day'] };

const isSuccess = ({ id, success }: Endpoint): boolean =>
  success.some((status) => status === answers.get(id)!.status);

test.each(endpoints.map((endpoint) => ({ name: routeOf(endpoint), endpoint })))(
  '$name: as the page fills it in, no field is wrong: it succeeds, or is refused for what the demo data lack',
  ({ endpoint }) => {
    if (isSuccess(endpoint)) return;
    const { status, body } = answers.get(endpoint.id)!;
    const { error } = body as { error: { code: ErrorCode; reason?: string; details?: object } };
    const { code, reason, details = {} } = error;
    expect({ code, status }).toEqual({ code, status: { ...GENERAL, ...endpoint.errors }[code] });
    const { params, query, body: sent } = prefilled(endpoint);
    // A rule of the business, which has a reason, names fields whose value is right on other data.
    const wrong = Object.keys(reason === undefined ? details : {})
      .map((field) => field.split('.')[0] ?? '')
      .filter((field) => field in { ...params, ...query, ...sent });
    expect(wrong).toEqual(OUT_OF_DATE[endpoint.id] ?? []);
  },
);

test('most requests succeed as the page fills them in', () => {
  expect(endpoints.filter(isSuccess).length).toBeGreaterThanOrEqual(144);
});
