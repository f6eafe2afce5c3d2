"""Actions: what people do with the capacity that abilities buy, such as strikes and moves."""
