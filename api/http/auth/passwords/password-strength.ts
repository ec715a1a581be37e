import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';

/** Chosen: 3 of 4, "safely unguessable"; the estimator calls lower scores guessable (decisions §3). */
const MINIMUM_SCORE = 3;
/**
 * Estimated characters: the time grows faster than the length, and a password that begins with this many characters that
 * are hard to guess is hard to guess.
 */
const ESTIMATED_LENGTH = 32;
/** The number of tried readings of 4 as A and 1 as L or I. */
const MOST_SUBSTITUTIONS = 10;
const LONGEST_WORD = 100;

let estimator: ZxcvbnFactory | undefined;

/** True if a password withstands guessing by a person who knows these words about its owner. */
export function withstandsGuessing(password: string, words: readonly string[]): boolean {
  // Created at first use, since it takes time and memory.
  estimator ??= new ZxcvbnFactory({
    dictionary: { ...common, ...english },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
  });
  const known = words.map((word) => word.slice(0, LONGEST_WORD));
  return estimator.check(password.slice(0, ESTIMATED_LENGTH), known).score >= MINIMUM_SCORE;
}
