"""Every error a person may see. `str(e)` is one line that says what to do; attributes carry the facts."""


class AceReflectError(Exception):
    """An expected failure: the command line prints it and exits with 2; a hook logs it and stays silent."""


class ConfigError(AceReflectError):
    """A configuration file or variable that cannot be used; the message names it, its line and the way out."""


class PlaybookError(AceReflectError):
    """A playbook that cannot be read or written. The file itself is never overwritten."""


class TranscriptError(AceReflectError):
    """A path that is not a Claude Code transcript."""


class StateError(AceReflectError):
    """`state.db` is newer than this program, or cannot be opened."""


class LockTimeout(AceReflectError):
    """Another process held the lock for longer than the deadline; nothing was changed."""


class ModelError(AceReflectError):
    """A model could not be asked, or its answer could not be used."""


class ModelUnavailable(ModelError):
    """No answer: no key, refused, no network, timeout. `retry_later`: another try may help, after `after_s` if asked to wait."""

    def __init__(
        self, why: str, *, retry_later: bool = False, after_s: float | None = None
    ) -> None:
        super().__init__(why)
        self.retry_later, self.after_s = retry_later, after_s


class ModelReplyInvalid(ModelError):
    """The model answered, but not with what was asked for."""
