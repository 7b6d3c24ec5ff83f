"""Stop, the second entry: what would a model say?"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))
from ace_reflect.hooks import assess, edge

edge.run_script(assess.main)
