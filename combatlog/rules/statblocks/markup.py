"""Texts that tools keep as HTML, as plain paragraphs."""

from __future__ import annotations

import html
import re

_SECRET = re.compile(r"<section[^>]*\bsecret\b[^>]*>(.*?)</section>", re.DOTALL | re.IGNORECASE)
_ENDS_A_LINE = re.compile(r"</(?:p|li|tr|h\d|div|section|table|ul|ol)>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")


def text_of(markup: str) -> str:
    """One line for each paragraph. Where a part is for the GM only, the rest says the same in fewer words: left out."""
    secret = " ".join(found for found in _SECRET.findall(markup) if _TAG.sub("", found).strip())
    lines = _ENDS_A_LINE.sub("\n", secret or markup)
    text = html.unescape(_TAG.sub("", lines)).replace("\xa0", " ")
    return "\n".join(line for line in (re.sub(r"[ \t\r]+", " ", line).strip() for line in text.split("\n")) if line)


def shortened(name: str) -> str:
    """A name as ids have it."""
    return "-".join(re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", name.lower()))) or "unnamed"
