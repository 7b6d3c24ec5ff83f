"""SessionEnd: the session goes to the queue, the worker starts."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))
from ace_reflect.hooks import edge, session_end

edge.run_script(session_end.main)
