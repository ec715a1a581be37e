import { z } from 'zod';
import { endpoints } from '../../../api/endpoints';
import { identifiedBy } from '../../../api/http/request/ids/identified';
import { resources } from '../../support/resources';
import { fieldsIn } from '../../support/resources/schemas';

/** Every field of every request, with what it identifies. */
const fields = endpoints.flatMap(({ id, params, query, body }) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    [...fieldsIn(schema, `${id} ${part}`)].map(([place, field]) => ({
      ...{ place, field, identified: identifiedBy(field) },
    })),
  ),
);
const inUse = fields.flatMap(({ place, identified }) => (identified ? [{ place, ...identified }] : []));

test('of every resource that a request names, tests can make one in each state in which it succeeds', () => {
  const missing = inUse.flatMap(({ place, resource, states }) =>
    (states.length === 0 ? ['any'] : states)
      .filter((state) => !(state in resources[resource]))
      .map((state) => `${place}: ${resource} ${state}`),
  );
  expect(missing).toEqual([]);
  expect(inUse.length).toBeGreaterThan(120);
});

test('and in no other', () => {
  const named = new Set(
    inUse.flatMap(({ resource, states }) =>
      (states.length === 0 ? ['any'] : states).map((state) => `${resource} ${state}`),
    ),
  );
  const made = Object.entries(resources).flatMap(([resource, makes]) =>
    Object.keys(makes).map((state) => `${resource} ${state}`),
  );
  expect(made.filter((one) => !named.has(one))).toEqual([]);
});

test('every id in a request says what it identifies', () => {
  const isId = (field: z.core.$ZodType): boolean =>
    field instanceof z.ZodUUID || ('innerType' in field._zod.def && isId(field._zod.def.innerType as never));
  const nameless = fields.filter(({ field, identified }) => isId(field) && !identified);
  expect(nameless.map(({ place }) => place)).toEqual([]);
  expect(fields.filter(({ field }) => isId(field)).length).toBeGreaterThan(100);
});

test('the document says it, and in which states', () => {
  const words = new Map(inUse.map(({ place }, n) => [place, inUse[n]]));
  expect(words.get('approvePayout params.id')).toMatchObject({ resource: 'payout', states: ['PENDING'] });
  const { params } = endpoints.find(({ id }) => id === 'approvePayout')!;
  const schema = JSON.stringify(z.toJSONSchema(params, { io: 'input' }));
  expect(schema).toContain('The id of a payout that is PENDING.');
});
