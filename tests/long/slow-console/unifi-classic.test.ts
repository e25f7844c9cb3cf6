// Concurrent orders on slow consoles, through the driver `unifi-classic`.

import { testRespondedIsMade } from './slow-console.ts';

testRespondedIsMade('unifi-classic');
