"""Reports for people: a judgement as text, and many judgements as a table."""
