"""SessionStart: key points again after a compaction; what earlier sessions left is learned."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))
from ace_reflect.hooks import edge, session_start

edge.run_script(session_start.main)
