import { Spectral, type ISpectralDiagnostic, type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describeApi } from '../../../api/docs/document';
import { endpoints } from '../../../api/endpoints';

/** All rules of OpenAPI. Groups are in the order in which they are used, not in that of the alphabet. */
const spectral = new Spectral();
spectral.setRuleset({
  extends: [[oas as RulesetDefinition, 'all']],
  rules: { 'openapi-tags-alphabetical': 'off' },
});

/** The validator of Spectral knows no Unicode classes in patterns, and divides decimals as binary numbers. */
const isItsOwnLimit = ({ message }: ISpectralDiagnostic): boolean =>
  /must match pattern ".*\\p\{L\}/.test(message) || message.includes('must be multiple of 0.01');

const complaints = async (document: object): Promise<string[]> =>
  (await spectral.run(JSON.parse(JSON.stringify(document))))
    .filter((result) => !isItsOwnLimit(result))
    .map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`);

test(
  'the document keeps every rule of OpenAPI',
  async () => {
    expect(await complaints(describeApi(endpoints))).toEqual([]);
  },
  5 * 60_000,
);

test(
  'a document that breaks rules is noticed',
  async () => {
    const { info, ...rest } = describeApi(endpoints.slice(0, 3));
    const { license: _, ...unlicensed } = info;
    expect(await complaints({ ...rest, info: unlicensed })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^info-license at info/)]),
    );
  },
  5 * 60_000,
);
