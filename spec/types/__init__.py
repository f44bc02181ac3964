"""Types of fields, and the functions derived from them."""
