import type { oas31 } from 'zod-openapi';

/** The groups of operations in the order of the page: first what buyers use, administration last. */
export const TAGS: readonly oas31.TagObject[] = [
  { name: 'Authentication', description: 'Register, sign in and out, sessions and the second factor.' },
  { name: 'Account', description: 'Your profile, addresses, wallet and personal data.' },
  { name: 'Regions', description: 'The sales region, which decides which accounts exist.' },
  { name: 'Products', description: 'Browse and search the catalogue.' },
  { name: 'Categories', description: 'The tree of categories.' },
  { name: 'Reviews', description: 'Read and write reviews of products.' },
  { name: 'Cart', description: 'Fill the cart, apply coupons and check out.' },
  { name: 'Shipping', description: 'Shipping methods, their prices and delivery dates.' },
  { name: 'Orders', description: 'Pay for, follow, cancel and return what you ordered.' },
  { name: 'Payments', description: 'Reports of payment providers; not for shops.' },
  { name: 'Administration: orders', description: 'Ship orders, enter bank transfers and refund buyers.' },
  { name: 'Administration: refunds', description: 'Decide on refund requests and send money back by hand.' },
  { name: 'Administration: products', description: 'Products with their variants, images and stock.' },
  { name: 'Administration: categories', description: 'The tree of categories, inactive ones too.' },
  { name: 'Administration: reviews', description: 'Publish, reject and answer reviews.' },
  { name: 'Administration: coupons', description: 'Discounts by code.' },
  { name: 'Administration: shipping', description: 'Shipping methods, their zones and prices.' },
  { name: 'Administration: taxes', description: 'Tax rates by destination.' },
  { name: 'Administration: users', description: 'Find, change, suspend and ban accounts.' },
  { name: 'Administration: operations', description: 'Processes that wait for a person to decide.' },
  {
    name: 'Administration: audit',
    description: 'The record of every change by administrators, which nobody can alter.',
  },
];
