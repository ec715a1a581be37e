/** What global set-up tells the test files, through the environment that jest's processes inherit. */
export type Given =
  | 'TEST_POSTGRES_URL'
  | 'TEST_TEMPLATE_DATABASE'
  | 'TEST_TEMPORAL_ADDRESS'
  | 'TEST_BUNDLE_PATH'
  | 'TEST_SERVER_PATH'
  | 'TEST_CHROMIUM_PATH'
  | 'TEST_STRIPE_MOCK_PATH';

export function give(name: Given, value: string): void {
  process.env[name] = value;
}

/** Throws when global set-up did not see that this file needs it: tests/support/run/needs.ts decides by imports. */
export function given(name: Given): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} was not set up; see tests/support/run/needs.ts.`);
  return value;
}
