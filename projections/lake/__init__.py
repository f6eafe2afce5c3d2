"""The lake: the events and facts of a ledger as a data set of Parquet files, read and written with DuckDB."""
