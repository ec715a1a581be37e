import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../logs/log';
import { firstFound, type Found, type Step } from './chain';
import { readToolchainConfig, type ToolchainConfig } from './config';
import { findOnPath, isExecutable, namedBy } from './executable';
import { makeOnce } from './make-once';
import { runTool } from './run-tool';
import { downloadBySdk, fromSdk, type SdkDownload } from './sdk-download';

/** Pinned: the first version tried with update-with-start; it has no schedules. */
export const TEST_SERVER_VERSION = '1.33.0';

const COPY_TIMEOUT_MS = 10 * 60_000;

const ADVICE = `Do one of these:
  - set TEMPORAL_TEST_SERVER_PATH to Temporal's time-skipping test server;
  - install Java 11 or later and Maven, which let this run fetch it once.`;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>temporal-test-server</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${TEST_SERVER_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

/** A short start matters more than peak speed: the serial collector and the first compiler tier only. */
const wrapper = (java: string) => `#!/bin/sh
DIR=$(cd "$(dirname "$0")" && pwd)
exec '${java}' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m -cp "$DIR/lib/*" io.temporal.testserver.TestServer "$@"
`;

interface JavaTools {
  java: string;
  maven: string;
}

async function copyDependencies({ java, maven }: JavaTools, target: string, env: NodeJS.ProcessEnv) {
  const dir = path.dirname(target);
  await rm(path.join(dir, 'lib'), { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, 'pom.xml'), POM);
  const args = [
    '-q',
    '-B',
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    '-DoutputDirectory=lib',
  ];
  await runTool({ command: maven, args, env, cwd: dir, timeoutMs: COPY_TIMEOUT_MS });
  const jars = await readdir(path.join(dir, 'lib'));
  if (!jars.includes(`temporal-test-server-${TEST_SERVER_VERSION}.jar`))
    throw new Error(`${maven} ended well but brought no test server into ${dir}`);
  await writeFile(`${target}.new`, wrapper(java));
  await chmod(`${target}.new`, 0o755);
  await rename(`${target}.new`, target);
}

const fetchedPath = (config: ToolchainConfig) =>
  path.join(config.cacheDir, `temporal-test-server-${TEST_SERVER_VERSION}`, 'test-server');

const fromMaven = (config: ToolchainConfig, log: Log): Step => ({
  name: `Maven's temporal-test-server ${TEST_SERVER_VERSION}`,
  find: async (): Promise<Found> => {
    const java = await findOnPath(['java'], config.searchDirs);
    if (java === undefined) return { skipped: 'Java is not on PATH' };
    const target = fetchedPath(config);
    if (await isExecutable(target)) return { path: target };
    const maven = await findOnPath(['mvn'], config.searchDirs);
    if (maven === undefined) return { skipped: 'Maven (mvn) is not on PATH' };
    const notice = `Temporal's test server is being fetched with Maven: about a minute, once; kept in ${path.dirname(target)}`;
    const make = () => copyDependencies({ java, maven }, target, config.env);
    return { path: await makeOnce({ target, notice, make, log }) };
  },
});

/**
 * The path of Temporal's time-skipping test server (its argument is the port): from TEMPORAL_TEST_SERVER_PATH,
 * the SDK's download, or Maven's artifact behind a wrapper, in this order. Throws MissingToolError when none has it.
 */
export function resolveTestServer(
  log: Log,
  config: ToolchainConfig = readToolchainConfig(),
  download: SdkDownload = downloadBySdk,
): Promise<string> {
  const steps = [
    namedBy('TEMPORAL_TEST_SERVER_PATH', config.testServerPath),
    fromSdk({ tool: 'temporal-test-server', config, download, madeBefore: fetchedPath(config), log }),
    fromMaven(config, log),
  ];
  return firstFound("Temporal's test server", steps, ADVICE, log);
}
