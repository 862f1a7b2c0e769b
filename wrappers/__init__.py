"""Gymnasium wrappers: shifts and views (import as `skillshift_gym.wrappers`)."""

if __name__ == "wrappers":
    raise ImportError("import skillshift_gym.wrappers instead of the folder")
