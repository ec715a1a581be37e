import { freePort } from '../../../../local/machine/ports';
import { startWorld, type World } from '../../../support/worlds/world';

const HOME = '/api/v1/auth/external';

let world: World;
beforeAll(async () => {
  const gone = { issuer: `http://127.0.0.1:${await freePort()}`, clientId: 'x', clientSecret: 'x' };
  world = await startWorld({ worker: false, variables: { EXTERNAL_PROVIDERS: JSON.stringify({ gone }) } });
});
afterAll(() => world.teardown());

describe.each(['', '/callback'])('GET /auth/external/:provider%s', (tail) => {
  test.each([
    ['nobody', 404, 'PROVIDER_NOT_FOUND'],
    ['constructor', 404, 'PROVIDER_NOT_FOUND'],
    ['google', 503, 'PROVIDER_NOT_CONFIGURED'],
    ['apple', 503, 'PROVIDER_NOT_CONFIGURED'],
  ])('%s: %i %s', async (name, status, code) => {
    const answer = await world.http.get(`${HOME}/${name}${tail}`);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });
});

test('an unavailable provider is 503, and is tried again the next time', async () => {
  for (const _time of [1, 2]) {
    const answer = await world.http.get(`${HOME}/gone`);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  }
});
