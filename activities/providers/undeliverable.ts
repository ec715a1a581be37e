/** No try will ever deliver this message. */
export class Undeliverable extends Error {}
