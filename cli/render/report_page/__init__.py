"""A report on the terminal, in Markdown and in HTML. Each escapes what people wrote in its own way."""
