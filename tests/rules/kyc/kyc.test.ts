import { isAtLeast, KYC_LEVELS } from '../../../workflows/kyc/kyc.rules';

test('each level is at least itself and those before it', () => {
  for (const [rank, level] of KYC_LEVELS.entries())
    for (const [wantedRank, wanted] of KYC_LEVELS.entries())
      expect({ level, wanted, enough: isAtLeast(level, wanted) }).toEqual({
        level,
        wanted,
        enough: rank >= wantedRank,
      });
});
