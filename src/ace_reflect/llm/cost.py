"""
What a call costs, from a dated table. A model that is not in it costs "unknown", never zero.

Prices are list prices in US dollars per million tokens, without cache or batch discounts, so a sum is an upper bound.
"""

import re

from ace_reflect.llm.port import Usage

#: When, and by whose word: Anthropic's as Claude Code 2.1.330 computes them, the others as published.
PRICES_AS_OF = {"anthropic": "2026-11", "openai": "2025-11", "google": "2025-11"}

#: model id (a trailing date, as in `-20250929`, is ignored) -> dollars per million input and output tokens
PRICES: dict[str, tuple[float, float]] = {
    "claude-fable-5": (10.0, 50.0),
    "claude-fable-5-1": (10.0, 50.0),
    "claude-fable-5-2": (8.0, 40.0),
    "claude-haiku-4-5": (1.0, 5.0),
    "claude-haiku-5-5": (0.1, 0.5),
    "claude-mythos-5": (10.0, 50.0),
    "claude-mythos-5-1": (10.0, 50.0),
    "claude-mythos-5-2": (8.0, 40.0),
    "claude-opus-4-5": (5.0, 25.0),
    "claude-opus-4-6": (5.0, 25.0),
    "claude-opus-4-7": (5.0, 25.0),
    "claude-opus-4-8": (5.0, 25.0),
    "claude-opus-5": (5.0, 25.0),
    "claude-opus-5-5": (4.0, 20.0),
    "claude-sonnet-4-5": (3.0, 15.0),
    "claude-sonnet-4-6": (3.0, 15.0),
    "claude-sonnet-5": (2.0, 10.0),
    "claude-sonnet-5-5": (2.0, 10.0),
    "gpt-4.1": (2.0, 8.0),
    "gpt-4.1-mini": (0.4, 1.6),
    "gpt-4.1-nano": (0.1, 0.4),
    "gpt-4o": (2.5, 10.0),
    "gpt-4o-mini": (0.15, 0.6),
    "gpt-5": (1.25, 10.0),
    "gpt-5-mini": (0.25, 2.0),
    "gpt-5-nano": (0.05, 0.4),
    "gpt-5.1": (1.25, 10.0),
    "o3": (2.0, 8.0),
    "o4-mini": (1.1, 4.4),
    "gemini-2.0-flash": (0.1, 0.4),
    "gemini-2.5-flash": (0.3, 2.5),
    "gemini-2.5-flash-lite": (0.1, 0.4),
    "gemini-2.5-pro": (1.25, 10.0),
}
_DATE = re.compile(r"-(?:20\d{6}|20\d\d-\d\d-\d\d|latest)$")


def priced(usage: Usage, provider: str, model: str) -> Usage:
    """`usage` with its cost, where the table knows the model."""
    # Elsewhere than at these providers the same model may cost anything.
    prices = PRICES.get(_DATE.sub("", model)) if provider in PRICES_AS_OF else None
    if prices is None:
        return usage
    dollars = (usage.input_tokens * prices[0] + usage.output_tokens * prices[1]) / 1_000_000
    return Usage(usage.input_tokens, usage.output_tokens, dollars)
