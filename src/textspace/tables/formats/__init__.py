"""The formats of tables, one a module.

A module of this folder is a format: it has a `FORMAT`, which says how such files are called, read and written
(:class:`textspace.tables.Format`). It is found by being here; nothing lists it. A text format opens its file
with `open_lines` and `open_output` of ``textspace.tables._text``, which know the standard streams and name a
byte that cannot be read. Any other opens its path itself, says ``streams=False``, and writes through
``textspace._files.atomic_open``.
"""
