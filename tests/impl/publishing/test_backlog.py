from gomboc.impl.publishing.backlog import MemoryBacklog, StoreBacklog
from gomboc.impl.publishing.publication import Publication


def publication(number):
    return Publication(f"{number:032b}", "ann", number, "x", "ann")


def test_what_waits_whole_comes_in_order_as_there_is_room():
    backlog = MemoryBacklog()
    for number in range(5):
        assert backlog.add(number) == 0
    assert backlog.fetch(2) == ([0, 1], 0)
    assert len(backlog) == 3
    assert backlog.fetch(9) == ([2, 3, 4], 0)
    backlog.add(5)
    backlog.clear()
    assert backlog.fetch(9) == ([], 0)


def test_what_waits_in_a_store_is_gone_if_the_store_has_let_it_go():
    held = {item.key: item for item in map(publication, range(4))}
    backlog = StoreBacklog(lambda: held, 10)
    for item in held.values():
        backlog.add(item)
    del held[publication(0).key]
    assert backlog.fetch(2) == ([publication(1), publication(2)], 1)
    assert len(backlog) == 1
