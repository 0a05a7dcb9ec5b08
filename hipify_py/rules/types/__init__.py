"""Types that differ: objects for numbers, constructors for aggregates, pointers for handles."""
