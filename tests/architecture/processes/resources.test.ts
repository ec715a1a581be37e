import { endpoints } from '../../../api/endpoints';
import { adminPathsOf } from '../../../api/http/request/ids/admin-paths';
import { processes } from '../../../db/program/processes';
import { resources } from '../../support/resources';

const paths = adminPathsOf(endpoints);

test('what a process is about is a resource of the API', () => {
  const named = processes.flatMap(({ type, resource }) =>
    resource === undefined ? [] : [{ type, resource }],
  );
  expect(named.filter(({ resource }) => !Object.hasOwn(resources, resource))).toEqual([]);
});

test('a process that parks, and that is about a row by its id, says what that is', () => {
  const about = processes.filter(
    ({ parks, drives }) => parks && drives && Object.values(drives.key)[0] === 'id',
  );
  expect(about.length).toBeGreaterThan(0);
  expect(about.filter(({ resource }) => resource === undefined).map(({ type }) => type)).toEqual([]);
});

test('administrators read a resource in one place', () => {
  const params = /:\w+/g;
  const found = endpoints.filter(
    ({ method, path }) => method === 'get' && /^\/admin\/[^:]+\/:\w+$/.test(path),
  );
  expect(found.length).toBeGreaterThan(0);
  for (const { path } of found) expect([...paths.values()]).toContain(path.replace(params, '').slice(0, -1));
  expect(paths.size).toBe(found.length);
});

test.each([
  ['order', '/admin/orders'],
  ['payment refund', '/admin/payment-refunds'],
  ['report', '/admin/webhook-events'],
  ['user', '/admin/users'],
  ['verification', '/admin/kyc'],
  ['wallet withdrawal', '/admin/wallet-withdrawals'],
])('a %s is read at %s', (resource, path) => {
  expect(paths.get(resource)).toBe(path);
});
