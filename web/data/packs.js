// A pack that is being drafted: its page is drawn anew as sections come, and what somebody types into
// one meanwhile stays.

import { keepFresh } from "../static/parts.js";

keepFresh("#main[data-live]", 1000);
