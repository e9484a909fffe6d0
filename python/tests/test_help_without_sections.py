"""Help texts name no section of the specification, such as (B1), except in the last line of a method."""

import inspect
import re

import pytest

from cpaas import models, types
from cpaas._generated import descriptions, operations, settings

SECTION = re.compile(r"\([A-E]\d+[a-z]?([,/ ]+[A-E]\d+[a-z]?)*\)|\b[Ff]amily [A-E]\b")


@pytest.mark.parametrize("module", [models, types, operations, settings])
def test_no_section_in_docstrings_and_comments(module):
    assert SECTION.findall(inspect.getsource(module)) == []


def test_no_section_in_the_help_of_the_command():
    assert SECTION.findall(str(descriptions.DESCRIPTIONS)) == []
