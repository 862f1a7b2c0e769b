"""The subcommands of `skillshift`, one module each: `add` declares its arguments, the rest does the work."""
