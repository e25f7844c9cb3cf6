// Starts the command line of the packed Gastpass. bin/gastpass has already made sure that this Node is new enough.

// Names are looked up in half of these threads: a name server that hangs must not keep all of them.
process.env.UV_THREADPOOL_SIZE ??= '16';

await import('../lib/main.js');
