// Thrown if the service cannot work with its configuration; repeating the call changes nothing. The message says what
// to do. The command line exits with 2.

export class WrongConfiguration extends Error {}
