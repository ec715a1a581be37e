import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { SdkDownload } from '../../../local/toolchain/sdk-download';
import { resolveTestServer, TEST_SERVER_VERSION } from '../../../local/toolchain/test-server';
import { executable, makeToolWorld, noNetwork, type ToolWorld } from './tool-world';

let world: ToolWorld;
beforeEach(async () => {
  world = await makeToolWorld();
});
afterEach(() => world.remove());

const jar = `temporal-test-server-${TEST_SERVER_VERSION}.jar`;
const fakeMaven = () =>
  world.program(
    'mvn',
    `echo "$@" >> ${world.dir}/fetched; /bin/mkdir -p lib; : > lib/${jar}; /bin/cp pom.xml ${world.dir}/`,
  );
const fakeJava = () => world.program('java', 'echo "$@"');

describe("Temporal's test server comes from", () => {
  it('TEMPORAL_TEST_SERVER_PATH before all others', async () => {
    const named = await executable(path.join(world.dir, 'mine'));
    const config = world.config({ TEMPORAL_TEST_SERVER_PATH: named });
    await expect(resolveTestServer(world.log, config, noNetwork)).resolves.toBe(named);
  });

  it("the SDK's download", async () => {
    const download: SdkDownload = async (tool, dir) => {
      await executable(path.join(dir, `${tool}-sdk-typescript-1.24.0`));
    };
    const found = await resolveTestServer(world.log, world.config(), download);
    expect(path.basename(found)).toBe('temporal-test-server-sdk-typescript-1.24.0');
  });

  it("Maven's artifact of the pinned version, fetched once, behind a wrapper that hands the port on", async () => {
    await fakeMaven();
    await fakeJava();
    const wrapper = await resolveTestServer(world.log, world.config(), noNetwork);
    await expect(resolveTestServer(world.log, world.config(), noNetwork)).resolves.toBe(wrapper);

    expect(await readFile(path.join(world.dir, 'fetched'), 'utf8')).toMatch(
      /^-q -B dependency:copy-dependencies .*\n$/,
    );
    expect(await readFile(path.join(world.dir, 'pom.xml'), 'utf8')).toContain(
      `<version>${TEST_SERVER_VERSION}</version>`,
    );
    const { stdout } = await promisify(execFile)(wrapper, ['7777']);
    expect(stdout).toContain(`${path.dirname(wrapper)}/lib/* io.temporal.testserver.TestServer 7777`);
  });
});

describe('it is refused with the reason when', () => {
  it('Java is missing', async () => {
    await fakeMaven();
    await expect(resolveTestServer(world.log, world.config(), noNetwork)).rejects.toThrow(
      'Java is not on PATH',
    );
  });

  it('Maven is missing', async () => {
    await fakeJava();
    await expect(resolveTestServer(world.log, world.config(), noNetwork)).rejects.toThrow(
      'Maven (mvn) is not on PATH',
    );
  });

  it('Maven brings something else', async () => {
    await fakeJava();
    await world.program('mvn', '/bin/mkdir -p lib; : > lib/other.jar');
    await expect(resolveTestServer(world.log, world.config(), noNetwork)).rejects.toThrow(
      'brought no test server',
    );
  });
});
