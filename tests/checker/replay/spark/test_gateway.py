"""A Java that refuses to start Spark is a sentence. When the driver is killed, nothing of its Java is left."""

import subprocess

from gomboc.checker.replay.spark.gateway import ENDING, start_gateway
from tests.checker.refusing import sentence

REFUSED = """
echo 'Exception in thread "main" org.apache.spark.SparkException: HADOOP_CONF_DIR must be set.' >&2
echo '	at org.apache.spark.deploy.SparkSubmit.main(SparkSubmit.scala)' >&2
exit 1
"""


def test_what_java_says_when_it_cannot_start_spark_is_a_sentence(tmp_path):
    assert sentence(start_gateway, ["sh", "-c", REFUSED], tmp_path, loopback=False) == (
        "Java could not start Spark (HADOOP_CONF_DIR must be set): correct that, or choose another --java or --master."
    )


def test_a_java_that_does_not_end_by_itself_is_killed_with_its_workers_and_its_folder_removed(tmp_path):
    folder = tmp_path / "gomboc-folder"
    folder.mkdir()
    stubborn = ["sh", "-c", "sleep 600 & echo started; wait"]
    with subprocess.Popen(stubborn, stdout=subprocess.PIPE, process_group=0) as java:
        assert java.stdout.readline() == b"started\n"
        subprocess.run(["sh", "-c", ENDING, "sh", str(java.pid), str(folder)], check=True)
        # Its worker writes there, too, so there is no end to be read before that is gone.
        assert java.stdout.read() == b""
    assert not folder.exists()
