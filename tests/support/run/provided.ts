/** The variables in which global set-up hands the test files what it brought up; jest's processes inherit them. */
export type Provided =
  | 'TEST_POSTGRES_URL'
  | 'TEST_TEMPLATE_DATABASE'
  | 'TEST_TEMPORAL_ADDRESS'
  | 'TEST_BUNDLE_PATH'
  | 'TEST_SERVER_PATH'
  | 'TEST_CHROMIUM_PATH'
  | 'TEST_CLAMD_PATH'
  | 'TEST_PROMTOOL_PATH'
  | 'TEST_STRIPE_MOCK_PATH';

export function provide(name: Provided, value: string): void {
  process.env[name] = value;
}

/** Throws if global set-up did not bring it up for this file: tests/support/run/requirements.ts decides by imports. */
export function provided(name: Provided): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} was not set up; see tests/support/run/requirements.ts.`);
  return value;
}
