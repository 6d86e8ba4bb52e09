"""Types that a model file may hold, under names that do not depend on where they are defined."""
