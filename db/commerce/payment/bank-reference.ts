/**
 * SQL for a bank reference as banks compare it: without blanks, in capitals. It is the expression of the unique indexes
 * `payment_captures_bank_reference_key` and `payment_refunds_settlement_reference_key`.
 */
export const bankReference = (text: string): string =>
  `upper(regexp_replace(${text}, '[\\s\\u00a0\\u202f]', '', 'g'))`;
