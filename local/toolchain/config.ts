import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { readVariables } from '../../db/sql/environment/variables';

const emptyIsUnset = (value: unknown) => (value === '' ? undefined : value);
const OptionalText = z.preprocess(emptyIsUnset, z.string().optional());

const Variables = z.object({
  TEMPORAL_CLI_PATH: OptionalText,
  TEMPORAL_TEST_SERVER_PATH: OptionalText,
  CHROMIUM_PATH: OptionalText,
  CLAMD_PATH: OptionalText,
  PROMTOOL_PATH: OptionalText,
  SCHEMATHESIS_PATH: OptionalText,
  STRIPE_MOCK_PATH: OptionalText,
  SEPA_SCHEMA_PATH: OptionalText,
  PLAYWRIGHT_BROWSERS_PATH: OptionalText,
  XDG_CACHE_HOME: OptionalText,
  TMPDIR: OptionalText,
  PATH: z.string().default(''),
  CI: OptionalText,
});

/** Places to look for the tools, and the environment of their installers. */
export interface ToolchainConfig {
  temporalCliPath: string | undefined;
  testServerPath: string | undefined;
  chromiumPath: string | undefined;
  clamdPath: string | undefined;
  promtoolPath: string | undefined;
  schemathesisPath: string | undefined;
  stripeMockPath: string | undefined;
  sepaSchemaPath: string | undefined;
  /** Playwright's directory of downloaded browsers. */
  playwrightDir: string;
  /** The directories of PATH, in order. */
  searchDirs: string[];
  /** Outside the checkout, so that a fresh clone finds what an earlier one has built. */
  cacheDir: string;
  /** The SDK's default directory for its downloads. */
  sdkDir: string;
  /** `CI=true`: system packages may be installed. */
  isCi: boolean;
  env: NodeJS.ProcessEnv;
}

/** Reads the toolchain's own variables; throws ConfigurationError naming the wrong one. */
export function readToolchainConfig(env: NodeJS.ProcessEnv = process.env): ToolchainConfig {
  const parsed = readVariables(Variables, env);
  const cacheHome = parsed.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  return {
    temporalCliPath: parsed.TEMPORAL_CLI_PATH,
    testServerPath: parsed.TEMPORAL_TEST_SERVER_PATH,
    chromiumPath: parsed.CHROMIUM_PATH,
    clamdPath: parsed.CLAMD_PATH,
    promtoolPath: parsed.PROMTOOL_PATH,
    schemathesisPath: parsed.SCHEMATHESIS_PATH,
    stripeMockPath: parsed.STRIPE_MOCK_PATH,
    sepaSchemaPath: parsed.SEPA_SCHEMA_PATH,
    playwrightDir: parsed.PLAYWRIGHT_BROWSERS_PATH ?? path.join(cacheHome, 'ms-playwright'),
    searchDirs: parsed.PATH.split(path.delimiter).filter((dir) => dir !== ''),
    cacheDir: path.join(cacheHome, 'marketplace-platform'),
    sdkDir: parsed.TMPDIR ?? tmpdir(),
    isCi: parsed.CI === 'true' || parsed.CI === '1',
    env,
  };
}
