// The health check of the container image, which has no shell and no curl: asks the service whether it is ready.

import { get } from 'node:http';

const url = `http://127.0.0.1:${process.env.PORT || 8080}/readyz`;
get(url, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1));
