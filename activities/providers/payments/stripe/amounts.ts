/** The smallest charge that Stripe takes in a currency, in its minor units. Chosen: of others 1, and Stripe refuses what is too small. */
const LEAST_MINOR: Readonly<Record<string, number>> = {
  AED: 200,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
};

/** Stripe takes amounts of at most eight digits, of Indonesian rupiah twelve. */
const MOST_MINOR: Readonly<Record<string, number>> = { IDR: 999_999_999_999 };
const USUAL_MOST_MINOR = 99_999_999;

/** The amounts of a currency that Stripe takes, in minor units. */
export const stripeAmounts = (currency: string): { leastMinor: number; mostMinor: number } => ({
  leastMinor: LEAST_MINOR[currency] ?? 1,
  mostMinor: MOST_MINOR[currency] ?? USUAL_MOST_MINOR,
});
