"""ace-reflect: Claude Code that learns from its sessions and does not stop before it is done.

The names of the Reflector specification are importable from here, lazily: a hook must not pay for an SDK.
"""

__version__ = "0.2.0"

_PUBLIC = {
    "apply_bullet_tags": "ace_reflect.playbook.votes",
    "extract_cited_ids": "ace_reflect.playbook.votes",
    "extract_json": "ace_reflect.llm.json_reply",
    "format_playbook": "ace_reflect.playbook.render",
    "load_playbook": "ace_reflect.playbook.store",
    "load_template": "ace_reflect.paths",
    "run_curator": "ace_reflect.learning.curator",
    "run_reflector": "ace_reflect.learning.reflector",
    "save_diagnostic": "ace_reflect.log",
    "save_playbook": "ace_reflect.playbook.store",
    "update_playbook_data": "ace_reflect.playbook.change",
}
__all__ = [*_PUBLIC, "__version__"]  # noqa: PLE0604 - the names are resolved by __getattr__


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ace_reflect' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)
