"""UserPromptSubmit: key points in front of the model."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))
from ace_reflect.hooks import edge, user_prompt_submit

edge.run_script(user_prompt_submit.main)
