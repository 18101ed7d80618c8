"""Work that goes to the parts of a table on Spark: nearest records and noise, as they would be in memory."""

import importlib
import math
import operator
from collections import Counter
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import epsilometer as em
from epsilometer.assessments.synthetic import proximity_in_parts
from epsilometer.errors import BadTable
from epsilometer.publication.counts import publish_counts
from epsilometer.synthesizers.noise import ReleaseNoise
from epsilometer.tables.in_parts import least, mapped, on_a_cluster
from epsilometer.tables.opening import open_table
from epsilometer.tables.spark_session import session_at

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # Spark leaves its own open

# Workers run what they can import, which a test module is not.
SENT_MODULE = '''
import pathlib, uuid
import numpy as np

def smallest(part):
    return np.array([min(part["a"].to_pylist()), min(part["b"].to_pylist())], dtype=float)

class NoiseOnFile:
    """Adds a hundred, and writes what it was given to a new file."""

    def __init__(self, folder):
        self.folder = folder

    def whole(self, values, scale):
        np.save(pathlib.Path(self.folder) / uuid.uuid4().hex, values)
        return values + 100
'''
KINDS = {"mixed": (), "numbers": ("age", "income")}
THRESHOLDED = {"support": "thresholded", "support_delta": 1e-6}


@pytest.fixture(scope="module")
def spark(needs_java):
    session, joining = session_at("spark://local[1]"), "spark.sql.adaptive.coalescePartitions.enabled"
    session.conf.set(joining, "false")  # Spark would make one part of such small ones
    yield session
    session.conf.unset(joining)


@pytest.fixture(scope="module")
def sent(spark, tmp_path_factory):
    """A module that the workers were sent."""
    file = tmp_path_factory.mktemp("sent") / "sent_to_workers.py"
    file.write_text(SENT_MODULE, encoding="utf-8")
    spark.sparkContext.addPyFile(str(file))
    return importlib.import_module("sent_to_workers")


@pytest.fixture
def fetched(monkeypatch):
    """Every table that comes from the cluster to this process."""
    from pyspark.sql.classic.dataframe import DataFrame

    tables, to_arrow = [], DataFrame.toArrow

    def noticed(frame):
        tables.append(to_arrow(frame))
        return tables[-1]

    monkeypatch.setattr(DataFrame, "toArrow", noticed)
    return tables


def people(n, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "income": rng.normal(30, 5, n).round(1),
            "job": rng.choice(["cook", "nurse", "smith"], n),
            "rooms": np.where(rng.random(n) < 0.1, np.nan, rng.integers(1, 5, n)),
            "born": pd.array(
                [date(1990, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 40, n)],
                pd.ArrowDtype(pa.date32()),
            ),
        }
    )


ORIGINAL = people(300, seed=1)
SYNTHETIC = pd.concat([people(200, seed=2), ORIGINAL[:20], ORIGINAL[:20]], ignore_index=True)


def on_spark(session, frame):
    schema = "age long, income double, job string, rooms double, born date"
    return session.createDataFrame(frame, schema).repartition(4)


def distances(near):
    return near.nearest.minimum, near.nearest.median, near.nearest.mean, *near.nearest.quantiles.values(), near.radius


def test_work_is_done_in_every_partition(spark):
    rows, first_row = open_table(spark.range(10).repartition(4)), operator.methodcaller("slice", 0, 1)
    assert on_a_cluster(rows)
    found = mapped(rows.expression, first_row, pa.schema({"id": pa.int64()}))
    assert 1 < len(set(found["id"].to_pylist())) == found.num_rows <= 4
    assert mapped(open_table(spark.range(0)).expression, first_row, found.schema).num_rows == 0


def test_the_smallest_numbers_of_all_partitions_are_found(spark, sent):
    rows = spark.range(3, 50).selectExpr("100 - id as a", "id as b").repartition(5)
    assert least(open_table(rows).expression, sent.smallest).tolist() == [51, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_originals_are_sent_and_all_distances_are_those_found_in_memory(spark, kind):
    columns = KINDS[kind]
    there = em.proximity(on_spark(spark, ORIGINAL), on_spark(spark, SYNTHETIC), columns=columns)
    here = em.proximity(ORIGINAL, SYNTHETIC, columns=columns)
    assert (there.n_original, there.n_synthetic, there.metric) == (300, 240, here.metric)
    assert there.hitting_rate == here.hitting_rate >= 40 / 240
    assert distances(there) == pytest.approx(distances(here), rel=1e-12)
    assert there.voronoi.mean == pytest.approx(here.voronoi.mean, rel=1e-9)
    assert there.coverage.mean_distance == pytest.approx(here.coverage.mean_distance, rel=1e-9)
    assert (there.candidates, there.cliques) == (here.candidates, here.cliques)
    assert there.search.method == proximity_in_parts.ORIGINALS_SENT


@pytest.mark.parametrize("kind", KINDS)
def test_synthetic_records_are_sent_to_too_many_originals(spark, monkeypatch, kind):
    columns = KINDS[kind]
    here = em.proximity(ORIGINAL, SYNTHETIC, columns=columns)
    n_coordinates = 2 if columns else 1 + 1 + 3 + 3 + 1
    monkeypatch.setattr(proximity_in_parts, "SENT_AT_MOST", 250 * n_coordinates)
    there = em.proximity(on_spark(spark, ORIGINAL), SYNTHETIC, columns=columns)
    assert there.hitting_rate == here.hitting_rate
    assert distances(there) == pytest.approx(distances(here), rel=1e-12)
    assert there.voronoi is None
    assert there.search.method == proximity_in_parts.SYNTHETICS_SENT
    monkeypatch.setattr(proximity_in_parts, "SENT_AT_MOST", 9 * n_coordinates)
    with pytest.raises(BadTable, match="one of them must have at most 9 to be sent to the other"):
        em.proximity(on_spark(spark, ORIGINAL), SYNTHETIC, columns=columns)


def test_an_audit_works_on_random_parts_drawn_by_the_cluster(spark, monkeypatch, fetched):
    monkeypatch.setattr(proximity_in_parts, "DRAWN_AT_MOST", 120)
    there = em.audit(on_spark(spark, ORIGINAL), SYNTHETIC, holdout=on_spark(spark, people(200, seed=3)))
    here = em.proximity(ORIGINAL, SYNTHETIC)
    assert distances(there.proximity) == pytest.approx(distances(here), rel=1e-12)
    assert there.proximity.coverage.n_pairs == 120
    assert proximity_in_parts.PARTS_ONLY in there.caveats
    whole = [table.num_rows for table in fetched if "age" in table.column_names and table.num_rows > 120]
    assert whole == [len(ORIGINAL.drop_duplicates())], "but for the different originals, which are sent"


def listing(table, **counts):
    release = em.Counts(**THRESHOLDED, **counts)
    return em.Plan(table=table, quasi_identifiers=("cell",), sensitive=("kind",), release=release)


def test_only_published_counts_leave_the_cluster_each_drawn_once(spark, sent, fetched, tmp_path):
    """Cell i has i people, noise is a hundred, and counts are listed from 130 on."""
    rows = spark.range(1, 60).selectExpr("id as cell", "'a' as kind", "explode(sequence(1, id)) as person")
    plan = listing(rows.repartition(3), mechanism=em.Geometric(epsilon=1.0, threshold=130))
    (made,) = publish_counts(plan, sent.NoiseOnFile(str(tmp_path)))
    assert {row["cell"]: row["count"] for row in made.rows.to_pylist()} == {str(i): i + 100 for i in range(30, 60)}
    given = np.concatenate([np.load(file) for file in tmp_path.iterdir()])
    assert sorted(given.tolist()) == list(range(1, 60))
    assert len(list(tmp_path.iterdir())) > 1, "in several parts"
    assert [table.num_rows for table in fetched if table.num_rows > 1] == [30]


def test_the_noise_has_the_law_of_the_plan(spark):
    """Two thousand counts of 50, far above the threshold: all are listed, and noise is zero in tanh(1/2) of them."""
    rows = spark.range(100_000).selectExpr("id % 2000 as cell", "'a' as kind")
    (made,) = publish_counts(listing(rows, mechanism=em.Geometric(epsilon=1.0)), ReleaseNoise())
    assert sorted(made.rows["cell"].to_pylist()) == sorted(map(str, range(2000)))
    noise = Counter((np.asarray(made.rows["count"]) - 50).tolist())
    for size in range(4):
        share = math.tanh(0.5) * math.exp(-size) * (2 if size else 1)
        found = noise[size] + noise[-size] if size else noise[0]
        assert found == pytest.approx(2000 * share, abs=5 * math.sqrt(2000 * share * (1 - share)))
    assert abs(sum(size * n for size, n in noise.items())) <= 5 * math.sqrt(2000 * 2 * math.e / (math.e - 1) ** 2)
