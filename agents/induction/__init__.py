"""What the methods learn with: episodes, slots, replay tests, and the guard of the protocols."""
