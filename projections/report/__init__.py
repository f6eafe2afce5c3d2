"""The report of a fight or a campaign: first as data, which can then be shown in any form."""
