/** Less than the time of the step in which a provider is asked. */
const ANSWER_MS = 5_000;

/** The answer of a provider to a question for which a person waits; throws when it is late. */
export function whilePersonWaits<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const late = new Promise<never>((_, reject) =>
    AbortSignal.timeout(ANSWER_MS).addEventListener('abort', () => reject(new Error('It is too late.'))),
  );
  return Promise.race([answer, late]);
}
