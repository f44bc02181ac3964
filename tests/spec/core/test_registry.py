import re
import sys

import pytest

from gomboc.spec.core.protocol import Protocol
from gomboc.spec.core.registry import NEEDED, UnfitProtocolError, find_protocol, load, protocol_names


def test_every_protocol_is_found_by_the_name_of_its_folder():
    assert "skip_ring" in protocol_names()
    for name in protocol_names():
        protocol = find_protocol(name)
        assert isinstance(protocol, Protocol)
        assert protocol.name == name


def test_shared_machinery_is_no_protocol():
    assert not {"model", "network", "domain", "registry"} & set(protocol_names())


def test_an_unknown_protocol_is_refused_with_what_there_is():
    sentence = f"there is no protocol 'nonsense'; there are: {', '.join(protocol_names())}"
    with pytest.raises(KeyError, match=re.escape(sentence)):
        find_protocol("nonsense")


@pytest.mark.parametrize("name", protocol_names())
def test_a_protocol_states_the_roles_of_its_own_starts(name):
    protocol = find_protocol(name)
    started = protocol.starts.start(2)
    assert [node for node, _ in started.roles] == [node for node, _ in started.locals]
    for (_, role), (_, local) in zip(started.roles, started.locals, strict=True):
        assert isinstance(local, protocol.vocabulary.roles[role])


@pytest.mark.parametrize("name", protocol_names())
def test_the_members_and_the_fixed_nodes_of_a_protocol_are_all_there_are(name):
    protocol = find_protocol(name)
    roles = dict(protocol.starts.start(3).roles)
    assert protocol.vocabulary.fixed.items() <= roles.items()
    assert sum(role == protocol.vocabulary.member for role in roles.values()) == 3
    assert len(roles) == 3 + len(protocol.vocabulary.fixed)


@pytest.mark.parametrize("lacking", ["state", "rules", "legitimacy", "space", "models"])
def test_a_package_that_is_laid_out_as_ours_are_has_every_module_of_the_template(tmp_path, monkeypatch, lacking):
    package = tmp_path / f"laid_out_without_{lacking}"
    package.mkdir()
    (package / "__init__.py").write_text("from tests.toys.words.spec import UNORDERED as PROTOCOL\n")
    monkeypatch.syspath_prepend(tmp_path)
    reference = f"{package.name}:PROTOCOL"
    assert load(reference).name == "toy_unordered", "a package of another layout"
    for name in set(NEEDED) - {lacking}:
        (package / f"{name}.py").touch()
    (package / "__init__.py").write_text(
        f"import {package.name}.{lacking}\nfrom tests.toys.words.spec import UNORDERED as PROTOCOL\n"
    )
    monkeypatch.delitem(sys.modules, package.name)
    with pytest.raises(UnfitProtocolError) as refused:
        load(reference)
    assert str(refused.value) == f"{reference} lacks the module {package.name}.{lacking}: add it"
    (package / f"{lacking}.py").touch()
    assert load(reference).name == "toy_unordered"
