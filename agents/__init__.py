"""Agents, and the backbones they stand on (import as `skillshift_gym.agents`)."""

if __name__ == "agents":
    raise ImportError("import skillshift_gym.agents instead of the folder")
