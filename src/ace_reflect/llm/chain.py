"""`models:` in order, until one gives a valid answer."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from ace_reflect.errors import ModelError, ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.port import Call, Model, Recorder, Reply, Request, Usage, as_data

T = TypeVar("T")

_QUOTED = 2_000  # characters of an invalid reply shown to the model again
_WORTH_A_TRY_S = 1.0


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A valid answer: the value read from it, who gave it, and every call it took, failed ones included."""

    value: T
    model: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    """The configured models, asked in order."""

    models: tuple[Model, ...]
    record: Recorder | None = None

    @property
    def name(self) -> str:
        return ", ".join(model.name for model in self.models)

    async def answer(
        self, request: Request, read: Callable[[Reply], T], *, asks: int = 2
    ) -> Answer[T]:
        """The first valid answer. `read` makes a value of a reply, or raises `ModelReplyInvalid`;
        the same model is then asked once more (`asks` in all) with that error, and after it the next.

        `request.deadline_s` holds for all of it: each model may use an equal share of what is left.
        Raises the last kind of `ModelError`, with every model's reason and the configured chain in its message.
        """
        ends = time.monotonic() + request.deadline_s
        calls: list[Call] = []
        failures: list[ModelError] = []
        for place, model in enumerate(self.models):
            left_s = ends - time.monotonic()
            if left_s < _WORTH_A_TRY_S and failures:
                break
            share = replace(request, deadline_s=left_s / (len(self.models) - place))
            try:
                value = await self._one(model, share, read, calls, asks)
                return Answer(value, model.name, tuple(calls))
            except ModelError as error:
                failures.append(error)
        raise self._failure(failures)

    async def _one(
        self,
        model: Model,
        request: Request,
        read: Callable[[Reply], T],
        calls: list[Call],
        asks: int,
    ) -> T:
        """The answer of one model. Raises ModelError."""
        ends = time.monotonic() + request.deadline_s
        asked = request
        while True:
            started, reply, failed = time.monotonic(), None, None
            try:
                reply = _counted(await model.ask(asked), asked)
                value = read(reply)
            except ModelError as error:
                failed = error
            usage = reply.usage if reply else getattr(failed, "usage", Usage())
            ms = round((time.monotonic() - started) * 1000)
            calls.append(Call(request.role, model.name, usage, ms))
            if self.record is not None:
                self.record(calls[-1])
            if failed is None:
                return value
            if reply is None:
                raise failed
            asks -= 1
            asked = replace(_again(request, reply, failed), deadline_s=ends - time.monotonic())
            if not asks or asked.deadline_s <= _WORTH_A_TRY_S:
                raise ModelReplyInvalid(f"{model.name}: {failed}") from failed

    def _failure(self, failures: Sequence[ModelError]) -> ModelError:
        configured = f"(configured: {self.name or 'none'})"
        if not failures:
            return ModelUnavailable(f"no model could be asked {configured}")
        reasons = "; ".join(map(str, failures))
        message = f"no model gave a valid answer: {reasons} {configured}"
        if all(isinstance(failure, ModelReplyInvalid) for failure in failures):
            return ModelReplyInvalid(message)
        later = any(getattr(failure, "retry_later", False) for failure in failures)
        return ModelUnavailable(message, retry_later=later)


def _counted(reply: Reply, request: Request) -> Reply:
    """The reply; without usage from its endpoint, estimated at three bytes per token: a budget must run out."""
    if reply.usage.input_tokens or reply.usage.output_tokens:
        return reply
    texts = (request.system + request.prompt, reply.text)
    given, said = (len(text.encode("utf-8", "replace")) // 3 for text in texts)
    return replace(reply, usage=replace(reply.usage, input_tokens=given, output_tokens=said))


def _again(request: Request, reply: Reply, error: ModelError) -> Request:
    said = as_data(reply.text if len(reply.text) <= _QUOTED else f"{reply.text[:_QUOTED]} […]")
    return replace(
        request,
        prompt=f"{request.prompt}\n\n# Your last answer could not be used\n\n{error}. It began:\n\n<last_answer>\n{said}\n"
        "</last_answer>\n\nAnswer again, with the one JSON object that was asked for and nothing else.",
    )
