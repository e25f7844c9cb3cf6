// Damaged answers of a console for the driver `unifi`.

import { fuzzDriver } from './fuzz-driver.ts';

fuzzDriver('unifi');
