"""Message Batches of the Anthropic API: what many ask at once is sent together, for half the price and within a day."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ace_reflect.errors import ModelError, ModelUnavailable
from ace_reflect.llm.anthropic import AnthropicModel
from ace_reflect.llm.calls import base_delay_s, priced
from ace_reflect.llm.port import Reply, Request

T = TypeVar("T")

_TIMEOUT_S = 60.0  # of one call to the API
_LONGEST_PAUSE_S = 30.0  # between two looks at a batch


class Batched:
    """An Anthropic model for many who ask at the same time (`gather`). `tell` gets a line whenever something has happened."""

    def __init__(self, model: AnthropicModel, tell: Callable[[str], None]) -> None:
        self.name, self._model, self._tell = model.name, model, tell
        self._asked: list[tuple[Request, asyncio.Future[Reply]]] = []

    async def ask(self, request: Request) -> Reply:
        """Raises ModelUnavailable, ModelReplyInvalid."""
        if reason := self._model.why_unusable():
            raise ModelUnavailable(f"{self.name}: {reason}")
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._asked.append((request, answer))
        return await answer

    async def gather(self, work: Sequence[Coroutine[Any, Any, T]]) -> list[T | ModelError]:
        """The result of each, or why it has none. A batch goes out when all that are left wait for an answer."""

        async def told(one: Coroutine[Any, Any, T]) -> T | ModelError:
            try:
                return await one
            except ModelError as error:
                return error

        tasks = [asyncio.ensure_future(told(one)) for one in work]
        try:
            while left := [task for task in tasks if not task.done()]:
                await asyncio.sleep(0)
                if len(self._asked) == len(left):
                    asked, self._asked = self._asked, []
                    await self._send(asked)
        finally:
            for task in tasks:
                task.cancel()
        return [await task for task in tasks]

    async def _send(self, asked: Sequence[tuple[Request, asyncio.Future[Reply]]]) -> None:
        model = self._model
        clean = [one.without_secrets(model.environ, model.patterns) for one, _ in asked]
        rows = [
            {"custom_id": f"r{at}", "params": model.params(one)} for at, one in enumerate(clean)
        ]
        results: dict[str, Reply | ModelError] = {}
        left_out: ModelError = ModelUnavailable(f"{self.name} left it out")
        try:
            async with model.connected(_TIMEOUT_S, retries=2) as client:
                batch = await client.messages.batches.create(requests=rows)
                self._tell(f"batch {batch.id}: {len(rows)} requests")
                try:
                    results = await self._results(client, batch.id)
                except asyncio.CancelledError:
                    await client.messages.batches.cancel(batch.id)
                    raise
        except ModelError as error:  # each who asked is told
            left_out = error
        for at, (_, answer) in enumerate(asked):
            found = results.get(f"r{at}", left_out)
            if isinstance(found, Reply):
                answer.set_result(found)
            else:
                answer.set_exception(found)

    async def _results(self, client: Any, batch: str) -> dict[str, Reply | ModelError]:
        pause_s = base_delay_s(self._model.environ)
        while (state := await client.messages.batches.retrieve(batch)).processing_status != "ended":
            self._tell(f"batch {batch}: {state.request_counts.succeeded} answered")
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
        if not str(state.results_url).startswith(str(client.base_url).rstrip("/")):
            raise ModelUnavailable(f"{self.name}: the results lie elsewhere, and no key goes there")
        found: dict[str, Reply | ModelError] = {}
        async for row in await client.messages.batches.results(batch):
            found[row.custom_id] = self._reply(row.result)
        return found

    def _reply(self, result: Any) -> Reply | ModelError:
        if result.type != "succeeded":
            return ModelUnavailable(f"{self.name}: its request in the batch {result.type}")
        try:
            text, usage, ended = self._model.read(result.message)
            usage = priced(usage, self.name)
            half = None if usage.cost_usd is None else usage.cost_usd / 2
            spent = replace(usage, cost_usd=half)
            return self._model.who.reply(text, spent, ended)
        except ModelError as error:
            return error
