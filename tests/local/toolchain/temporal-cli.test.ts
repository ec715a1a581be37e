import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { identify } from '../../../local/processes/identity';
import { MissingToolError } from '../../../local/toolchain/chain';
import type { SdkDownload } from '../../../local/toolchain/sdk-download';
import { resolveTemporalCli, TEMPORAL_CLI_VERSION } from '../../../local/toolchain/temporal-cli';
import { executable, makeToolWorld, noNetwork, type ToolWorld } from './tool-world';

let world: ToolWorld;
beforeEach(async () => {
  world = await makeToolWorld();
});
afterEach(() => world.remove());

/** A Go that writes its program into GOBIN, and a line into `built` for each build. */
const fakeGo = () =>
  world.program(
    'go',
    `echo "$@" >> ${world.dir}/built
     echo '#!/bin/sh' > "$GOBIN/temporal"
     /bin/chmod 755 "$GOBIN/temporal"`,
  );
const builds = async () => (await readFile(path.join(world.dir, 'built'), 'utf8')).trim().split('\n');
const builtPath = () =>
  path.join(world.dir, 'cache/marketplace-platform', `temporal-cli-${TEMPORAL_CLI_VERSION}`, 'temporal');

describe("Temporal's program comes from", () => {
  it('TEMPORAL_CLI_PATH before all others', async () => {
    await world.program('temporal');
    const named = await executable(path.join(world.dir, 'mine'));
    const config = world.config({ TEMPORAL_CLI_PATH: named });
    await expect(resolveTemporalCli(world.log, config, noNetwork)).resolves.toBe(named);
  });

  it('PATH, saying why TEMPORAL_CLI_PATH was passed over', async () => {
    const onPath = await world.program('temporal');
    const config = world.config({ TEMPORAL_CLI_PATH: '/nowhere/temporal' });
    await expect(resolveTemporalCli(world.log, config, noNetwork)).resolves.toBe(onPath);
    expect(world.lines[0]).toContain('TEMPORAL_CLI_PATH: /nowhere/temporal is not an executable file');
  });

  it("the SDK's download, which is kept and not asked for again", async () => {
    await fakeGo();
    let downloads = 0;
    const download: SdkDownload = async (tool, dir) => {
      downloads += 1;
      await executable(path.join(dir, `${tool}-sdk-typescript-1.24.0`));
    };
    const first = await resolveTemporalCli(world.log, world.config(), download);
    const second = await resolveTemporalCli(world.log, world.config(), download);
    expect(first.startsWith(path.join(world.dir, 'cache'))).toBe(true);
    expect(second).toBe(first);
    expect(downloads).toBe(1);
    await expect(builds()).rejects.toThrow('ENOENT');
  });

  it('a download that the SDK has made by itself', async () => {
    const own = await executable(path.join(world.dir, 'temporal-sdk-typescript-1.24.0'));
    await executable(path.join(world.dir, 'temporal-sdk-typescript-1.24.1.downloading'));
    await expect(resolveTemporalCli(world.log, world.config(), noNetwork)).resolves.toBe(own);
  });

  it('a build with Go of the pinned version, saying so before and why the others were passed over', async () => {
    await fakeGo();
    await expect(resolveTemporalCli(world.log, world.config(), noNetwork)).resolves.toBe(builtPath());
    expect(await builds()).toEqual([
      expect.stringContaining(`github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`),
    ]);
    expect(world.lines[0]).toContain('about 5 minutes, once');
    expect(world.lines.join('\n')).toContain("skipped the SDK's download: the download failed: no such host");
    expect(world.lines.join('\n')).not.toContain('not set');
  });

  it('an earlier build, without asking the network', async () => {
    await executable(builtPath());
    const download: SdkDownload = () => Promise.reject(new Error('was asked'));
    await expect(resolveTemporalCli(world.log, world.config(), download)).resolves.toBe(builtPath());
    expect(world.lines.join('\n')).not.toContain('was asked');
  });
});

describe('the build', () => {
  it('happens once when several starts need it at the same time', async () => {
    await fakeGo();
    const starts = [1, 2, 3, 4].map(() => resolveTemporalCli(world.log, world.config(), noNetwork));
    expect(new Set(await Promise.all(starts))).toEqual(new Set([builtPath()]));
    expect(await builds()).toHaveLength(1);
  });

  it('goes on after a builder that died, even where its process id is in use again', async () => {
    await fakeGo();
    const self = (await identify(process.pid))!;
    await executable(path.join(path.dirname(builtPath()), 'other'));
    await writeFile(`${builtPath()}.lock`, JSON.stringify({ ...self, startedAt: 'long ago' }));
    await expect(resolveTemporalCli(world.log, world.config(), noNetwork)).resolves.toBe(builtPath());
  });

  it('that fails leaves nothing behind, so that the next one is whole', async () => {
    await world.program('go', 'echo broken > "$GOBIN/temporal"; exit 1');
    await expect(resolveTemporalCli(world.log, world.config(), noNetwork)).rejects.toThrow(MissingToolError);
    await fakeGo();
    await expect(resolveTemporalCli(world.log, world.config(), noNetwork)).resolves.toBe(builtPath());
  });
});

it('says of every step why it had nothing, and what to install', async () => {
  await world.program('go', 'echo "cannot reach the module" >&2; exit 1');
  const refusal = await resolveTemporalCli(world.log, world.config(), noNetwork).catch(String);
  expect(refusal).toContain('TEMPORAL_CLI_PATH: not set');
  expect(refusal).toContain('temporal on PATH: not there');
  expect(refusal).toContain("the SDK's download: the download failed: no such host");
  expect(refusal).toContain('cannot reach the module');
  expect(refusal).toContain('set TEMPORAL_ADDRESS');
});

it('says that Go is missing', async () => {
  await expect(resolveTemporalCli(world.log, world.config(), noNetwork)).rejects.toThrow('Go is not on PATH');
});
