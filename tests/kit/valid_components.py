"""Checks lists of components: CycloneDX 1.6, strictly; without a time, a serial number or a path.

tests/kit/valid_components.py FILE…
"""

import pathlib
import re
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

files = [pathlib.Path(name) for name in sys.argv[1:]]
for file in files:
    text = file.read_text(encoding="utf-8")
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error or re.search(r'timestamp|serialNumber|"/|file:', text):
        sys.exit(f"{file}: {error or 'contains a time, a serial number or a path'}")
sys.exit(0 if files else "no list of components")
