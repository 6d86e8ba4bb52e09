from textspace.service import Limits
from textspace.service._clients import Clients, client_of


def test_steady_client_passes_and_a_hasty_one_does_not():
    clients = Clients(Limits(client_rate=10.0))
    assert not any(clients.wait("steady", 0.1 * turn) for turn in range(1000))
    passed = sum(clients.wait("hasty", 0.01 * turn) == 0 for turn in range(1000))  # ten seconds
    assert 100 <= passed <= 125
    assert clients.wait("other", 10.0) == 0


def test_clients_of_long_ago_are_forgotten():
    clients = Clients(Limits())
    for turn in range(30_000):
        clients.wait(str(turn), float(turn))
    assert len(clients._next) < 15_000


def test_neighbours_in_a_network_are_one_client():
    names = {
        client_of({"client": (address, 1)}) for address in ("2001:db8::1", "2001:db8::2:3", "fe80::1%eth0")
    }
    assert len(names) == 2
    mapped = [client_of({"client": (f"::ffff:192.0.2.{number}", 1)}) for number in (1, 2)]
    assert mapped == ["192.0.2.1", "192.0.2.2"]
    assert client_of({"client": None}) == client_of({}) == ""


def test_large_bodies_of_one_client_leave_room_for_others():
    clients = Clients(Limits(body_bytes=600_000, answer_bytes=400_000))
    taken = 0
    while clients.hold("greedy", 100_000 * taken, 100_000):
        taken += 1
    assert taken == 40
    assert clients.hold("greedy", 0, 50_000)  # a small body is always taken
    assert clients.hold("other", 0, 900_000)
    clients.release("greedy", 4_050_000)
    assert clients.hold("greedy", 0, 900_000)
