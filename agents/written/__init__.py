"""Skills that a chat model writes: the published systems' own way, behind the same guards and gates as the rules."""
