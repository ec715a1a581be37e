/** Programs that name themselves: crawlers, previews of messengers, monitors, libraries. */
const ROBOTS =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|skype|embedly|headless|phantom|lighthouse|pingdom|monitor|uptime|archiver|fetch|scan|http-?client|^(curl|wget|python|java|go-http|okhttp|axios|node|ruby|perl|php|postman|insomnia)/i;

/** True for a program that names itself in `User-Agent`, and for a caller without a name: no person's browser. */
export const isRobot = (userAgent: string | null): boolean => userAgent === null || ROBOTS.test(userAgent);
