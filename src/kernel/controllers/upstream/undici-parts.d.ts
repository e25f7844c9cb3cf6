// undici describes the types of its exports, but not of the files that `load-undici.ts` imports.

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
declare module 'undici/lib/core/*';
declare module 'undici/lib/dispatcher/*';
declare module 'undici/lib/llhttp/*';
