"""Publications: storage, comparison, validity, retention, delivery."""
