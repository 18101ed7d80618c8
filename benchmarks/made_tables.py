"""Tables of made-up people, as Parquet files; the same seed gives the same people."""

import duckdb

INTEGERS = {"age": 100, "sex": 2, "region": 5, "education": 10, "occupation": 16, "household": 7, "disease": 10}
SKEWED = """
    SELECT (18 + 70 * pow(random(), 1.4))::INTEGER AS age,
           ['female', 'male'][1 + (random() < 0.48)::INTEGER] AS sex,
           'region ' || (9 * pow(random(), 3))::INTEGER AS region,
           'level ' || (6 * pow(random(), 3))::INTEGER AS education,
           'occupation ' || (20 * pow(random(), 5))::INTEGER AS occupation,
           (1 + 4 * pow(random(), 4))::INTEGER AS household,
           ['high', 'low', 'middle'][1 + (3 * pow(random(), 2))::INTEGER % 3] AS disease
    FROM range({rows})
"""
NEARLY_UNIQUE = """
    SELECT (random() * 1e9)::INTEGER AS age, ['female', 'male'][1 + (random() < 0.48)::INTEGER] AS sex,
           'region ' || (40 * random())::INTEGER AS region, 'level ' || (8 * random())::INTEGER AS education,
           'occupation ' || (60 * random())::INTEGER AS occupation, (1 + 6 * random())::INTEGER AS household,
           ['high', 'low', 'middle'][1 + (3 * pow(random(), 2))::INTEGER % 3] AS disease
    FROM range({rows})
"""


def uniform(n_values):
    """A query of integers, each value as frequent as the others."""
    columns = ", ".join(f"floor(random() * {n})::INTEGER AS {name}" for name, n in n_values.items())
    return f"SELECT {columns} FROM range({{rows}})"


def written(query, rows, path, seed=0.5):
    """Write the rows of a query to a file, once, and return its path."""
    if not path.exists():
        with duckdb.connect() as connection:
            connection.execute("SET threads = 1")  # so that a seed means something
            connection.execute(f"SELECT setseed({seed})")
            connection.execute(f"COPY ({query.format(rows=rows)}) TO '{path}'")
    return str(path)
