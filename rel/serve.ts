// Runs the service in its own process, which can be killed, with shortened times for notifications and mails: `node
// rel/serve.ts PACE`, configured by the environment. Prints its URL once it runs.

import { startService } from '../src/app/start-service.ts';
import { readConfig } from '../src/platform/config/read-config.ts';

const { config, issues } = readConfig(process.env);
if (!config) throw new Error(`the configuration is invalid: ${issues}`);
const { url } = await startService(config, { pace: Number(process.argv[2]) });
console.log(url);
