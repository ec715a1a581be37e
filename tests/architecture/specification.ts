import { administration } from './specification/administration';
import { administrationOfGoods } from './specification/administration-of-goods';
import { commerce } from './specification/commerce';
import { identity } from './specification/identity';
import { investment } from './specification/investment';
import { partners } from './specification/partners';
import type { Row } from './specification/row';

/** Every endpoint of the three documents and of decisions.md, written by hand from them and from nothing else. */
export const specification: readonly Row[] = [
  ...commerce,
  ...identity,
  ...investment,
  ...partners,
  ...administration,
  ...administrationOfGoods,
];
