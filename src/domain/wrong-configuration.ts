// Thrown when the service cannot work as it is configured; asking again changes nothing. The message says
// what to do. The command line ends with 2.

export class WrongConfiguration extends Error {}
