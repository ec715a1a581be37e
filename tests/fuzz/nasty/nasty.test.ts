import { endpoints } from '../../../api/endpoints';
import { errorsOf } from '../../../api/http/answer/errors';
import { contentTypeOf } from '../../../api/http/answer/files/text-stream';
import type { Endpoint } from '../../../api/http/endpoint';
import { send, sendAll, inShort, type Raw, type RawAnswer } from '../send';
import { isLeaving, startFuzzWorld, type FuzzWorld } from '../world/fuzz-world';
import { nastyRequests } from './nasty-requests';
import { ordinaryRequest } from './ordinary-request';

let fuzzed: FuzzWorld;
beforeAll(async () => {
  fuzzed = await startFuzzWorld();
});
afterAll(() => fuzzed.world.teardown());

/** Last, since what is submitted can no longer be changed. */
const isSubmitting = ({ path }: Endpoint): number => Number(path === '/users/kyc/submit');

const each = [...endpoints]
  .sort((one, other) => isSubmitting(one) - isSubmitting(other))
  .map((endpoint) => ({
    name: `${endpoint.method.toUpperCase()} ${endpoint.path}`,
    endpoint,
  }));

test.each(each)('$name never breaks, and answers as documented', async ({ endpoint }) => {
  const ordinary = ordinaryRequest(endpoint, fuzzed.dictionaries);
  const token = tokenFor(endpoint);
  const requests = nastyRequests(endpoint, ordinary).map(({ headers, ...rest }) => ({
    ...rest,
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
  }));
  const usual = await send(fuzzed.world.url, requests[0]!);
  if (!isTaken(usual, endpoint)) throw new Error(`Not even the usual: ${inShort(requests[0]!, usual)}`);
  const wrongs = await sendAll(requests, async (request) => {
    const answer = await send(fuzzed.world.url, request);
    return isFair(answer, request, endpoint) ? [] : [inShort(request, answer)];
  });
  expect(wrongs.flat()).toEqual([]);
});

function tokenFor(endpoint: Endpoint): string | null {
  const { auth } = endpoint;
  const { anonymous, buyer, admin } = fuzzed.roles;
  const role = { public: anonymous, optional: buyer, user: buyer, admin, 'super-admin': admin }[auth];
  return isLeaving(endpoint) ? role.leaverToken : role.token;
}

/** True if the request is well formed and authorised, so that a nasty value in it reaches the handler. */
const isTaken = ({ status, text }: RawAnswer, { auth }: Endpoint): boolean =>
  (status !== 401 || auth === 'public') && !text.includes('VALIDATION_ERROR');

/**
 * Answers that any client may get: a nasty path reaches another endpoint or none, and Node itself
 * refuses a request line past 16 KiB.
 */
const ANYWHERE = [404, 405, 431];

function isFair(
  { status, contentType, text }: RawAnswer,
  { headers = {} }: Raw,
  endpoint: Endpoint,
): boolean {
  if (status === 304) return 'if-none-match' in headers && text === '';
  if (status < 300 && endpoint.produces)
    return [endpoint.produces]
      .flat()
      .map(contentTypeOf)
      .includes(contentType as never);
  const documented: number[] = [...endpoint.success, ...Object.values(errorsOf(endpoint)), ...ANYWHERE];
  return (
    status < 500 &&
    documented.includes(status) &&
    contentType === 'application/json; charset=utf-8' &&
    JSON.parse(text).success === status < 300
  );
}
