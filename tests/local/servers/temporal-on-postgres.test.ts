import { Connection } from '@temporalio/client';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  DYNAMIC_CONFIG,
  missingSearchAttributes,
  type RunningTemporal,
} from '../../../local/temporal-server/temporal';
import { freeTemporalPorts, startTemporalOnPostgres } from '../../../local/servers/temporal-on-postgres';
import { postgresAddress, serverConfiguration } from '../../../local/temporal-server/configuration';
import { resolveTemporalCli } from '../../../local/toolchain/temporal-cli';
import { useScratch } from '../scratch';
import { executable } from '../toolchain/tool-world';

const scratch = useScratch();
const log = () => undefined;
let running: RunningTemporal | undefined;
beforeEach(() =>
  Promise.all(
    ['calls', 'arguments', 'temporal'].map((name) =>
      rm(path.join(scratch(), name), { recursive: true, force: true }),
    ),
  ),
);
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** Fakes of the real programs, which take minutes to build; they record their arguments. */
const schemaTool = (last = '') =>
  executable(
    path.join(scratch(), 'sql-tool'),
    `echo "$SQL_PLUGIN $SQL_USER:$SQL_PASSWORD@$SQL_HOST:$SQL_PORT $*" >> ${scratch()}/calls; ${last}`,
  );
const calls = async () => (await readFile(path.join(scratch(), 'calls'), 'utf8')).trim().split('\n');

/** A fake of the server: the development server, at the configured port. */
const serverProgram = async () =>
  executable(
    path.join(scratch(), 'server'),
    `echo "$@" > ${scratch()}/arguments
     port=$(sed -n 's/.*"frontend":{"rpc":{"grpcPort":\\([0-9]*\\).*/\\1/p' server.yaml)
     exec '${await resolveTemporalCli(log)}' server start-dev --headless --ip 127.0.0.1 --port "$port" --log-level error`,
  );

const postgresUrl = 'postgres://ada:a%2Fb%40c@127.0.0.1:5433/whatever';
const start = async (tools: { server: string; sqlTool: string }) =>
  startTemporalOnPostgres({
    tools,
    postgresUrl,
    dir: path.join(scratch(), 'temporal'),
    namespace: 'market',
    log,
  });

it('makes both schemas, then serves with its namespace and search attributes', async () => {
  running = await start({ sqlTool: await schemaTool(), server: await serverProgram() });
  const sign = 'postgres12 ada:a/b@c@127.0.0.1:5433 --db';
  expect(await calls()).toEqual([
    `${sign} temporal create`,
    `${sign} temporal setup-schema -v 0.0`,
    `${sign} temporal update-schema --schema-name postgresql/v12/temporal`,
    `${sign} temporal_visibility create`,
    `${sign} temporal_visibility setup-schema -v 0.0`,
    `${sign} temporal_visibility update-schema --schema-name postgresql/v12/visibility`,
  ]);
  const args = await readFile(path.join(scratch(), 'arguments'), 'utf8');
  expect(args).toContain('--config . --env server --allow-no-auth start');
  expect(await missingSearchAttributes(running.address, 'market')).toEqual([]);
  const connection = await Connection.connect({ address: running.address });
  const { config } = await connection.workflowService.describeNamespace({ namespace: 'market' });
  await connection.close();
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60);
});

it('says why the schema could not be made, and starts nothing', async () => {
  const sqlTool = await schemaTool('echo "no such host" >&2; exit 1');
  const server = await serverProgram();
  await expect(start({ sqlTool, server })).rejects.toThrow('no such host');
  await expect(readFile(path.join(scratch(), 'arguments'))).rejects.toThrow('ENOENT');
});

it('says why the server ended, and keeps the password from others', async () => {
  const server = await executable(path.join(scratch(), 'server'), 'echo "out of range" >&2; exit 1');
  const refused = start({ sqlTool: await schemaTool(), server });
  await expect(refused).rejects.toThrow(/Temporal ended with code 1[\s\S]*out of range/);
  const file = path.join(scratch(), 'temporal', 'server.yaml');
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect((await stat(path.dirname(file))).mode & 0o077).toBe(0);
  const settings: unknown = JSON.parse(
    await readFile(path.join(scratch(), 'temporal', 'dynamic.yaml'), 'utf8'),
  );
  expect(settings).toEqual(
    Object.fromEntries(Object.entries(DYNAMIC_CONFIG).map(([name, value]) => [name, [{ value }]])),
  );
});

it('ports are all different, and small enough for Temporal’s tables', async () => {
  const ports = Object.values(await freeTemporalPorts());
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThanOrEqual(32_767);
});

it('the configuration names both databases and listens on this machine only', async () => {
  const ports = await freeTemporalPorts();
  const text = serverConfiguration({
    postgres: postgresAddress('postgres://bob@db.example/ignored'),
    database: 'flows',
    shards: 8,
    ports,
    dynamicConfigFile: '/x/dynamic.yaml',
  });
  const { persistence, services, publicClient, dynamicConfigClient } = JSON.parse(text);
  expect(persistence).toMatchObject({
    numHistoryShards: 8,
    datastores: {
      default: { sql: { databaseName: 'flows', connectAddr: 'db.example:5432', user: 'bob', password: '' } },
      visibility: { sql: { databaseName: 'flows_visibility', pluginName: 'postgres12' } },
    },
  });
  expect(services).toMatchObject({
    frontend: { rpc: { grpcPort: ports.frontend, httpPort: ports.http, bindOnLocalHost: true } },
    matching: { rpc: { grpcPort: ports.matching, bindOnLocalHost: true } },
    history: { rpc: { grpcPort: ports.history, bindOnLocalHost: true } },
    worker: { rpc: { grpcPort: ports.worker, bindOnLocalHost: true } },
  });
  expect(publicClient.hostPort).toBe(`127.0.0.1:${ports.frontend}`);
  expect(dynamicConfigClient.filepath).toBe('/x/dynamic.yaml');
});
