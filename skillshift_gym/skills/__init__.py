"""Skills: one record, a safe step language, an executor that knows why, banks that remember."""
