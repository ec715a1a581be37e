/**
 * SQL for what a bank compares references by: without blanks, in capitals. It is the expression of the unique indexes
 * `payment_captures_bank_reference_key` and `payment_refunds_settlement_reference_key`.
 */
export const bankReference = (text: string): string =>
  `upper(regexp_replace(${text}, '[\\s\\u00a0\\u202f]', '', 'g'))`;
