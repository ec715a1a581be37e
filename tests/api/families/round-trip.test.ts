import { z } from 'zod';
import { routeOf } from '../../../api/docs/path';
import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { identifiedBy } from '../../../api/http/request/ids/identified';
import type { Ground, Person } from '../../support/resources/ground';
import { shapeOf } from '../../support/resources/schemas';
import { roleFor, startFamilyWorld } from './arrangements/family-world';
import { arrangedFor } from './arrangements/requests';
import { sendArranged } from './arrangements/send';
import { VALUES } from './arrangements/values';

type Fields = Record<string, unknown>;
type Params = Record<string, string>;

let family: Ground;
beforeAll(async () => {
  family = await startFamilyWorld();
});
afterAll(() => family.world.teardown());

/** Fields that have the same name in an answer and mean something else in a request, by operation. */
const NOT_SENT_BACK: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  updateOrder: { status: 'moves the order: the one that it has is no move' },
  updateAccount: { payoutDetails: 'shown masked, since they are stored encrypted' },
  startKyc: { personalInfo: 'not shown to anybody but reviewers' },
  chooseRegion: { region: 'shown as `current`, whichever way it was found' },
};

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The reads whose answer may show what a request names: of its own path, then of the paths above. */
const readsOf = (path: string): Endpoint[] =>
  endpoints
    .filter((read) => read.method === 'get' && `${path}/`.startsWith(`${read.path}/`))
    .sort((one, other) => other.path.length - one.path.length);

/** The first object of an answer that has one of these values in a field that identifies it. */
function objectOf(answer: unknown, value: string, names: readonly string[]): Fields | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if (isObject(answer) && names.some((name) => answer[name] === value)) return answer;
  for (const inner of Object.values(answer)) {
    const found = objectOf(inner, value, names);
    if (found) return found;
  }
  return null;
}

/** The thing that a path names, in the answer of a read. */
function thingIn(answer: unknown, read: Endpoint, path: string, params: Params): Fields | null {
  const last = path.split('/').at(-1) ?? '';
  if (last.startsWith(':')) return objectOf(answer, params[last.slice(1)] ?? '', ['id', last.slice(1)]);
  if (!isObject(answer)) return null;
  const part = answer[last];
  return isObject(part) ? part : read.path === path ? answer : null;
}

/** The thing that a path names, as the API shows it. */
async function shown(path: string, params: Params, as: Person): Promise<Fields | null> {
  for (const read of readsOf(path)) {
    const query = 'pageSize' in shapeOf(read.query) ? { pageSize: '50' } : {};
    const { body } = await sendArranged(family, read, as, { params, query });
    const thing = thingIn(body.data, read, path, params);
    if (thing) return thing;
  }
  return null;
}

/** The part of an answer that a request knows by the same names. */
const fittingIn = (endpoint: Endpoint, thing: Fields): Fields =>
  Object.fromEntries(
    Object.keys(shapeOf(endpoint.body))
      .filter((name) => name in thing && !(name in (NOT_SENT_BACK[endpoint.id] ?? {})))
      .map((name) => [name, thing[name]]),
  );

/** The field by which a path names what an answer shows. */
const namedBy = (data: z.core.$ZodType): string | undefined =>
  ['id', 'code'].find((name) => name in shapeOf(data));

/** Creations of something that a list of the same path shows. */
const creations = endpoints.filter(
  ({ method, path, success, upload, raw, body, data }) =>
    method === 'post' &&
    success.includes(201) &&
    !upload &&
    !raw &&
    !path.includes(':') &&
    namedBy(data) !== undefined &&
    Object.keys(shapeOf(body)).length > 0 &&
    endpoints.some((read) => read.method === 'get' && read.path === path),
);

/** Names that only one thing has. */
const UNIQUE = [...Object.keys(VALUES), 'strategyCode'];

describe('what is shown of one may be sent to create another', () => {
  test.each(creations.map((endpoint) => ({ name: routeOf(endpoint), endpoint })))(
    '$name',
    async ({ endpoint }) => {
      const person = () => family.person(roleFor(endpoint.auth) ?? 'USER');
      const one = await person();
      const made = await sendArranged(family, endpoint, one, await arrangedFor(family, endpoint, one));
      expect({ status: made.status, error: made.body.error }).toEqual({ status: 201, error: undefined });
      const name = namedBy(endpoint.data) ?? '';
      const thing = await shown(`${endpoint.path}/:${name}`, { [name]: String(made.body.data[name]) }, one);
      const shape = shapeOf(endpoint.body);
      const sent = Object.entries(fittingIn(endpoint, thing ?? {})).filter(
        ([field]) => !UNIQUE.includes(field) && !identifiedBy(shape[field] ?? z.never()),
      );
      if (sent.length === 0) {
        expect(NOT_SENT_BACK).toHaveProperty(endpoint.id);
        return;
      }
      const other = await person();
      const { body: usual, ...arranged } = await arrangedFor(family, endpoint, other);
      const answer = await sendArranged(family, endpoint, other, {
        ...arranged,
        body: { ...usual, ...Object.fromEntries(sent) },
      });
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 201, error: undefined });
    },
  );
});

const changes = endpoints.filter(({ method }) => method === 'patch' || method === 'put');

describe('what is shown may be sent back, and changes nothing', () => {
  test.each(changes.map((endpoint) => ({ name: routeOf(endpoint), endpoint })))(
    '$name',
    async ({ endpoint }) => {
      const as = await family.person(roleFor(endpoint.auth) ?? 'USER');
      const arranged = await arrangedFor(family, endpoint, as);
      const { params = {} } = arranged;
      const fitting = async (): Promise<Fields> =>
        fittingIn(endpoint, (await shown(endpoint.path, params, as)) ?? {});
      const sendBack = async () => {
        const before = await fitting();
        if (Object.keys(before).length === 0) {
          expect(NOT_SENT_BACK).toHaveProperty(endpoint.id);
          return;
        }
        const { status, body } = await sendArranged(family, endpoint, as, { params, body: before });
        expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
        expect(await fitting()).toEqual(before);
      };
      await sendBack();
      expect((await sendArranged(family, endpoint, as, arranged)).status).toBe(200);
      await sendBack();
    },
  );
});
