import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

const emptyIsUnset = (value: unknown) => (value === '' ? undefined : value);
const optionalText = z.preprocess(emptyIsUnset, z.string().optional());

const toolchainSchema = z.object({
  TEMPORAL_CLI_PATH: optionalText,
  TEMPORAL_TEST_SERVER_PATH: optionalText,
  CHROMIUM_PATH: optionalText,
  SCHEMATHESIS_PATH: optionalText,
  STRIPE_MOCK_PATH: optionalText,
  PLAYWRIGHT_BROWSERS_PATH: optionalText,
  XDG_CACHE_HOME: optionalText,
  TMPDIR: optionalText,
  PATH: z.string().default(''),
  CI: optionalText,
});

/** Where the tools are looked for, and the environment their installers run in. */
export interface ToolchainConfig {
  temporalCliPath: string | undefined;
  testServerPath: string | undefined;
  chromiumPath: string | undefined;
  schemathesisPath: string | undefined;
  stripeMockPath: string | undefined;
  /** Where Playwright keeps the browsers it has downloaded. */
  playwrightDir: string;
  /** The directories of PATH, in order. */
  searchDirs: string[];
  /** Outside the checkout, so that a fresh clone finds what an earlier one has built. */
  cacheDir: string;
  /** Where the SDK puts its own downloads unless told otherwise. */
  sdkDir: string;
  /** `CI=true`: system packages may be installed without being asked for. */
  isCi: boolean;
  env: NodeJS.ProcessEnv;
}

/** Reads the toolchain's own variables; throws a ZodError that names the wrong one. */
export const readToolchainConfig = (env: NodeJS.ProcessEnv = process.env): ToolchainConfig => {
  const parsed = toolchainSchema.parse(env);
  const cacheHome = parsed.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  return {
    temporalCliPath: parsed.TEMPORAL_CLI_PATH,
    testServerPath: parsed.TEMPORAL_TEST_SERVER_PATH,
    chromiumPath: parsed.CHROMIUM_PATH,
    schemathesisPath: parsed.SCHEMATHESIS_PATH,
    stripeMockPath: parsed.STRIPE_MOCK_PATH,
    playwrightDir: parsed.PLAYWRIGHT_BROWSERS_PATH ?? path.join(cacheHome, 'ms-playwright'),
    searchDirs: parsed.PATH.split(path.delimiter).filter((dir) => dir !== ''),
    cacheDir: path.join(cacheHome, 'marketplace-platform'),
    sdkDir: parsed.TMPDIR ?? tmpdir(),
    isCi: parsed.CI === 'true' || parsed.CI === '1',
    env,
  };
};
