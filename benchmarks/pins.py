"""The peers that have environments of their own, pinned: the newest that installs, with what reads the tables."""

PYARROW, NUMPY = "pyarrow==26.0.1", "numpy==2.4.6"

ANONYMETER = ("anonymeter==1.1.0", "pyarrow==21.0.0")  # it asks for an old numpy
BVMLIB = ("bvmlib==1.1.0", PYARROW)
FAISS = ("faiss-cpu==1.15.1", NUMPY)
PRIVATTACKS = ("privattacks==1.4", PYARROW)
PYCANON = ("pycanon==1.3.6", PYARROW)
QIF = ("qif==1.6.0", NUMPY)
RISKCAL = ("riskcal==1.5.1", NUMPY)
SDMETRICS = ("sdmetrics==0.32.0", PYARROW)
