"""The protocols as people run them: cores without input or output, and the machinery that drives them."""
