"""PreCompact: finished turns go to the queue."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))
from ace_reflect.hooks import edge, pre_compact

edge.run_script(pre_compact.main)
