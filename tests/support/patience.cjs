/**
 * Limits that only end a hang: they cost nothing while all is well, and a busy machine never reaches them. No test, hook
 * or wait has a shorter one of its own (eslint.config.js). `TEST_PATIENCE` multiplies them.
 */
const scale = Number(process.env.TEST_PATIENCE ?? 1);

module.exports = {
  TEST_MS: 300_000 * scale,
  /** Of tests that build, start and kill programs. */
  HARD_TEST_MS: 900_000 * scale,
  EVENTUALLY_MS: 120_000 * scale,
  SERVER_STARTS_MS: 120_000 * scale,
};
