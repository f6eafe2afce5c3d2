"""The properties of the ability library, by the file that has them. Each module lists cases by property in `CASES`."""
