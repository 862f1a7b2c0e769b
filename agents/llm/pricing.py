"""What tokens cost: from the price list of `genai-prices` (extra `prices`), where it knows the model."""

from __future__ import annotations

from skillshift_gym.agents.llm.model import Cost, Usage

NO_PACKAGE = "prices need the extra: pip install 'skillshift-gym[prices]'"


def cost_of(provider: str, model: str, usage: Usage) -> Cost:
    """Returns what a call costs, or why that is not known.

    Args:
        provider: Whose price it is, such as `openai`; empty for a server with no price list, as one of your own.
        model: The model's name.
        usage: Tokens of the call.
    """
    if not provider:
        return Cost(None, "no price list for a server of one's own")
    if usage.prompt is None or usage.completion is None:
        return Cost(None, "the service gave no token counts")
    try:
        import genai_prices
    except ImportError:
        return Cost(None, NO_PACKAGE)
    counts = genai_prices.Usage(
        input_tokens=usage.prompt, cache_read_tokens=usage.cached, output_tokens=usage.completion
    )
    try:
        price = genai_prices.calc_price(counts, model_ref=model, provider_id=provider)
    except LookupError:
        return Cost(None, f"no price is known for {provider}/{model}")
    return Cost(float(price.total_price), "")
