// Damaged answers of a console for the driver `unifi-classic`.

import { fuzzDriver } from './fuzz-driver.ts';

fuzzDriver('unifi-classic');
