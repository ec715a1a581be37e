import { type Role } from '../../../workflows/identity/user/user.rules';

/** An account of the demo. Its password is public: the seed prints it, and the README has it. */
export interface DemoAccount {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  role: Role;
  kycLevel: 'BASIC' | 'STANDARD';
  /** In cents (USD). */
  walletMinor: number;
  address: { street: string; city: string; country: string; postalCode: string } | null;
}

const ordinary = { role: 'USER', kycLevel: 'BASIC', walletMinor: 0, address: null } as const;

export const DEMO_ADMINISTRATOR: DemoAccount = {
  ...ordinary,
  email: 'admin@example.com',
  password: 'Admin-demo-1!',
  firstName: 'Ada',
  lastName: 'Admin',
  role: 'SUPER_ADMIN',
};

/** The accounts that the README names. */
export const NAMED_ACCOUNTS: readonly DemoAccount[] = [
  DEMO_ADMINISTRATOR,
  {
    ...ordinary,
    email: 'staff@example.com',
    password: 'Staff-demo-1!',
    firstName: 'Stefan',
    lastName: 'Staff',
    role: 'ADMIN',
  },
  {
    ...ordinary,
    email: 'buyer@example.com',
    password: 'Buyer-demo-1!',
    firstName: 'Berta',
    lastName: 'Buyer',
    walletMinor: 10_000_00,
    address: { street: 'Torstraße 1', city: 'Berlin', country: 'DE', postalCode: '10119' },
  },
  {
    ...ordinary,
    email: 'partner@example.com',
    password: 'Partner-demo-1!',
    firstName: 'Paula',
    lastName: 'Partner',
    // Payouts need it.
    kycLevel: 'STANDARD',
  },
  {
    ...ordinary,
    email: 'investor@example.com',
    password: 'Investor-demo-1!',
    firstName: 'Ivan',
    lastName: 'Investor',
    kycLevel: 'STANDARD',
    walletMinor: 50_000_00,
  },
];

export const MEMBER_PASSWORD = 'Member-demo-1!';
const MEMBERS = `Amelie Aumann, Bruno Berg, Chiara Conti, Dario Duarte, Elif Erdem, Felix Fischer, Greta Gruber, Hugo Hansen,
  Ines Ivanova, Jonas Jensen, Klara Kowalska, Luca Lombardi, Marta Moreno, Nils Novak, Olga Orlova, Pablo Prieto,
  Quentin Quist, Rosa Rossi, Samir Said, Tessa Thiel, Ugo Urban, Vera Vogel, Wanda Weber, Yara Yilmaz, Zeno Zimmer`;

/** All thirty accounts of the demo. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  ...NAMED_ACCOUNTS,
  ...MEMBERS.split(/,\s+/).map((name, index) => {
    const [firstName = '', lastName = ''] = name.split(' ');
    return {
      ...ordinary,
      email: `member${index + 1}@example.com`,
      password: MEMBER_PASSWORD,
      firstName,
      lastName,
    };
  }),
];

export const isDemoPassword = (password: string): boolean =>
  DEMO_ACCOUNTS.some((account) => account.password === password);
