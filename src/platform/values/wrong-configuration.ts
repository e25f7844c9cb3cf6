// Thrown if the service cannot work with its configuration. Trying again does not help. The message says what to do.
// The command line then exits with the code 2.

export class WrongConfiguration extends Error {}
