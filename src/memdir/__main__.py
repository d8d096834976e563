"""What `python -m memdir` runs."""

import sys

from memdir.surfaces.main import main

sys.exit(main())
