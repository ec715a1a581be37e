import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';

/** Chosen: 3 of 4, "safely unguessable"; below it the estimator speaks of guessable passwords (decisions §3). */
const GOOD_ENOUGH = 3;
/**
 * Estimating takes time that grows faster than the length. What begins with so many characters that are hard to guess
 * is hard to guess, so no more are looked at.
 */
const LOOKED_AT = 32;
/** Of all ways to read 4 as A and 1 as L or I, so many are tried. */
const MOST_SUBSTITUTIONS = 10;
const LONGEST_WORD = 100;

let estimator: ZxcvbnFactory | undefined;

/** Whether a password withstands guessing by somebody who knows these words about its owner. */
export function withstandsGuessing(password: string, words: readonly string[]): boolean {
  // Made when it is first needed: it takes a moment and some memory.
  estimator ??= new ZxcvbnFactory({
    dictionary: { ...common, ...english },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: MOST_SUBSTITUTIONS,
  });
  const known = words.map((word) => word.slice(0, LONGEST_WORD));
  return estimator.check(password.slice(0, LOOKED_AT), known).score >= GOOD_ENOUGH;
}
