export const TEST_MS: number;
export const HARD_TEST_MS: number;
export const EVENTUALLY_MS: number;
export const SERVER_STARTS_MS: number;
