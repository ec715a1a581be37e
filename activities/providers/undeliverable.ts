/** A message that can never be delivered. */
export class Undeliverable extends Error {}
