"""What people read: a judgement as text, and many judgements as a table."""
