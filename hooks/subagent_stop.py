"""SubagentStop: a subagent leaves its own tests red."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))
from ace_reflect.hooks import edge, subagent_stop

edge.run_script(subagent_stop.main)
