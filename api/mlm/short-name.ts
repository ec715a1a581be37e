/** "Anna B.", as partners see one another; the first name alone where there is no other. */
export const shortName = ({ firstName, lastName }: { firstName: string; lastName: string }): string => {
  const [initial] = lastName;
  return initial === undefined ? firstName : `${firstName} ${initial}.`;
};
