"""The Spark engine: its Java, and the session that it runs in.

Importing this package imports neither pyspark nor pyarrow; `spark_session` does, when it is entered.
"""

from gomboc.checker.core.errors import SparkJobError
from gomboc.checker.replay.spark.java import Java, find_java
from gomboc.checker.replay.spark.session import spark_session

__all__ = ["Java", "SparkJobError", "find_java", "spark_session"]
