"""`python -m ace_reflect` is the `ace-reflect` command."""

import sys

from ace_reflect.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
