"""When the driver is killed, nothing of its Java is left."""

import subprocess

from gomboc.checker.replay.spark.gateway import ENDING


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
