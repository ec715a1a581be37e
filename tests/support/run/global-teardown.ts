/** Ends what global set-up brought up. */
export default async function tearDown(): Promise<void> {
  await globalThis.testStack?.stop();
}
