"""Databases at an address of SQLAlchemy, such as postgresql://host/mails: the rows of a query."""

from textspace.tables import _blocks
from textspace.tables._blocks import Dialect
from textspace.tables._delimited import column_names
from textspace.tables._format import Format
from textspace.tables.formats._sqlite import cursor_blocks


def is_at(path):
    """Tell whether a path is an address."""
    return "://" in str(path)


def read(path, how):
    """Yield the blocks of a query or of a table, as the database gives them."""
    try:
        import sqlalchemy
    except ImportError as error:
        raise ImportError("a database needs sqlalchemy: pip install 'textspace[sql]'") from error
    name = "the database"  # until the address can be said without its password
    try:
        address = _address(sqlalchemy, path)
        name = address.render_as_string(hide_password=True)
        engine = sqlalchemy.create_engine(address)
        with engine.connect().execution_options(stream_results=True, yield_per=_blocks.BLOCK_ROWS) as base:
            rows = base.execute(_query(sqlalchemy, name, how))
            names = column_names(list(rows.keys()), name)
            yield from cursor_blocks(rows.fetchmany, names, name, Dialect("sql"))
    except ModuleNotFoundError as error:
        raise ImportError(f"{name} needs a driver ({error}): install it with pip") from error
    except sqlalchemy.exc.SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise ValueError(f"{name} cannot be read ({reason}): check the address, query= and sheet=") from error


def _address(sqlalchemy, path):
    try:
        return sqlalchemy.engine.make_url(str(path))
    except ValueError as error:  # of a port that is no number
        raise sqlalchemy.exc.ArgumentError(str(error)) from error


def _query(sqlalchemy, name, how):
    if how.query:
        return sqlalchemy.text(how.query)
    if how.sheet:
        return sqlalchemy.select(sqlalchemy.text("*")).select_from(sqlalchemy.table(how.sheet))
    raise ValueError(f"{name} is a database: say what to read with query= (--query) or sheet= (--sheet)")


FORMAT = Format("sql", (), read, streams=False, is_at=is_at)
