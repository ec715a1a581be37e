import type { Response } from 'supertest';
import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import { rows } from '../../../db/sql/query';
import { namesArranged, notArranged } from './arrangements/arrangements';
import { send } from './arrangements/send';
import { nameOf, roleFor, startFamilyWorld, type FamilyWorld } from './arrangements/family-world';
import { undocumented } from './arrangements/undocumented';

let family: FamilyWorld;
const answers = new Map<string, Response>();
beforeAll(async () => {
  family = await startFamilyWorld();
  for (const endpoint of endpoints) {
    const person = await family.person(roleFor(endpoint.auth) ?? 'USER');
    answers.set(nameOf(endpoint), await send(family, endpoint, person));
  }
}, 120_000);
afterAll(() => family.world.teardown());

const each = endpoints.map((endpoint) => ({ name: nameOf(endpoint), endpoint }));
const arranged = each.filter(({ name }) => !(name in notArranged));

test('every exception names an existing endpoint', () => {
  const names = each.map(({ name }) => name);
  expect(namesArranged.filter((name) => !names.includes(name))).toEqual([]);
});

test.each(arranged.filter(({ endpoint }) => endpoint.produces))(
  '$name answers a file of its type',
  ({ name, endpoint }) => {
    const { status, headers } = answers.get(name)!;
    expect(endpoint.success).toContain(status);
    expect(headers['content-type']).toBe(`${endpoint.produces}; charset=utf-8`);
    expect(headers['content-disposition']).toMatch(/^attachment; filename=/);
  },
);

test.each(arranged.filter(({ endpoint }) => !endpoint.produces))(
  '$name succeeds and answers what is documented and nothing else',
  ({ name, endpoint }) => {
    const { status, body } = answers.get(name)!;
    expect({ status: endpoint.success.includes(status as 200), error: body.error }).toEqual({
      status: true,
      error: undefined,
    });
    expect(endpoint.data.safeParse(body.data).error?.issues).toBeUndefined();
    expect(undocumented(endpoint.data, body.data)).toEqual([]);
    expect(Object.keys(body).sort()).toEqual(
      endpoint.paginated ? ['data', 'meta', 'success'] : ['data', 'success'],
    );
  },
);

/** Endpoints that answer a field of such a name on purpose. */
const MAY_SHOW: Readonly<Record<string, RegExp>> = {
  'POST /auth/login': /^(accessToken|refreshToken|tokenType|tempToken)$/,
  'POST /auth/refresh': /^(accessToken|refreshToken|tokenType)$/,
  'POST /auth/2fa/setup': /^secret$/,
  'POST /auth/2fa/verify': /^backupCodes$/,
};
const SECRET_NAME = /password(?!Changed)|hash|secret|token|sealed|backup.?code/i;
/** The audit trail's chain is answered so that it can be verified; it holds no secrets. */
const isPublic = (name: string, endpoint: Endpoint) =>
  name === 'hash' && endpoint.path === '/admin/audit-logs';

test('API3: no answer has a field called like a secret except where it is the purpose', () => {
  const shown = each.flatMap(({ name, endpoint }) =>
    fieldsIn(answers.get(name)!.body)
      .filter(
        (field) => SECRET_NAME.test(field) && !isPublic(field, endpoint) && !MAY_SHOW[name]?.test(field),
      )
      .map((field) => `${name}: ${field}`),
  );
  expect(shown).toEqual([]);
});

test('API3: no answer holds a hash or a sealed secret that the database keeps', async () => {
  const kept = await rows<{ value: string }>(
    family.world.db,
    `SELECT password_hash AS value FROM users WHERE password_hash IS NOT NULL
     UNION SELECT token_hash FROM refresh_tokens UNION SELECT code_hash FROM backup_codes`,
  );
  expect(kept.length).toBeGreaterThan(20);
  const text = [...answers.values()].map((answer) => answer.text).join('\n');
  expect(kept.filter(({ value }) => text.includes(value))).toEqual([]);
});

function fieldsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsIn(inner)]);
}
