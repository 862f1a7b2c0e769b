"""What the addresses of the admin do; both versions share it and draw it with their own templates."""
