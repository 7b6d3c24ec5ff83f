"""The starter playbook and the schema that editors check playbooks with."""

import json
import re

from ace_reflect import format_playbook, paths
from ace_reflect.playbook.model import SECTIONS, empty_playbook
from ace_reflect.playbook.read import parse_playbook
from ace_reflect.playbook.store import to_bytes
from support.playbooks import playbook, point


def shipped(name: str) -> bytes:
    with open(f"{paths.data_dir('playbook')}/{name}", "rb") as file:
        return file.read()


def test_the_starter_is_in_the_written_form_and_puts_no_word_into_anybodys_session():
    data = shipped("playbook.json")

    assert data == to_bytes(empty_playbook())
    assert format_playbook(parse_playbook(data).playbook) == ""


def test_the_schema_describes_what_is_written():
    schema = json.loads(shipped("playbook.schema.json"))
    written = json.loads(to_bytes(playbook(point("pat-001"))))
    sections = schema["properties"]["sections"]
    key_point = schema["$defs"]["key_point"]

    assert tuple(sections["required"]) == tuple(sections["properties"]) == SECTIONS
    assert set(schema["required"]) <= set(written)
    assert re.search(schema["properties"]["version"]["pattern"], written["version"])
    assert key_point["required"] == list(point("pat-001"))
    assert set(written["sections"]) == set(SECTIONS)
