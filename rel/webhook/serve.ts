// The service in a process of its own that can be killed, with the times around notifications shortened:
// `node rel/webhook/serve.ts PACE`, settings from the environment. Says so on standard output once it runs.

import { startService } from '../../src/app/start-service.ts';
import { readConfig } from '../../src/config/read-config.ts';

const { config, issues } = readConfig(process.env);
if (!config) throw new Error(`the configuration is faulty: ${issues}`);
const { url } = await startService(config, { pace: Number(process.argv[2]) });
console.log(url);
