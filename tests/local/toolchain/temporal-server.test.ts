import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { MissingToolError } from '../../../local/toolchain/chain';
import { resolveTemporalServer, TEMPORAL_SERVER_VERSION } from '../../../local/toolchain/temporal-server';
import { makeToolWorld, type ToolWorld } from './tool-world';

let world: ToolWorld;
beforeEach(async () => {
  world = await makeToolWorld();
});
afterEach(() => world.remove());

/** A Go that writes these programs into GOBIN, and a line into `built` for each build. */
const fakeGo = (...programs: string[]) =>
  world.program(
    'go',
    `echo "$@" >> ${world.dir}/built
     for program in ${programs.join(' ')}; do
       echo '#!/bin/sh' > "$GOBIN/$program"
       /bin/chmod 755 "$GOBIN/$program"
     done`,
  );
const builds = async () => (await readFile(path.join(world.dir, 'built'), 'utf8')).trim().split('\n');
const dir = () =>
  path.join(world.dir, 'cache/marketplace-platform', `temporal-server-${TEMPORAL_SERVER_VERSION}`);
const resolveIt = () => resolveTemporalServer(world.log, world.config());

it('server and schema tool are one build of the pinned version, kept for the next start', async () => {
  await fakeGo('server', 'sql');
  const tools = await resolveIt();
  expect(tools).toEqual({
    server: path.join(dir(), 'temporal-server'),
    sqlTool: path.join(dir(), 'temporal-sql-tool'),
  });
  await Promise.all(Object.values(tools).map((tool) => access(tool)));
  expect(await resolveIt()).toEqual(tools);
  expect(await builds()).toEqual([
    expect.stringMatching(
      `go.temporal.io/server/cmd/tools/sql@${TEMPORAL_SERVER_VERSION} go.temporal.io/server/cmd/server@${TEMPORAL_SERVER_VERSION}$`,
    ),
  ]);
});

it('a build without the schema tool counts as none', async () => {
  await fakeGo('server');
  await expect(resolveIt()).rejects.toThrow(MissingToolError);
  await fakeGo('server', 'sql');
  await expect(resolveIt()).resolves.toMatchObject({ server: path.join(dir(), 'temporal-server') });
});

it('says that Go is missing and what else can be done', async () => {
  const refusal = await resolveIt().catch(String);
  expect(refusal).toContain('Go is not on PATH');
  expect(refusal).toContain('docker-compose.yml');
});
