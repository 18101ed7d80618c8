"""An address that lets a browser in does so once and not for long, and its owner hears of every other try."""

import re

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")

from starlette.exceptions import HTTPException

from epsilometer.web.door import FOR_A_PERSON, FOR_A_PROGRAM, Door


class Terminal:
    """A clock that is moved by hand, and what was said to the person before it."""

    def __init__(self) -> None:
        self.now, self.said = 1_000.0, []


@pytest.fixture
def terminal():
    return Terminal()


@pytest.fixture
def door(settings, terminal):
    return Door(settings, terminal.said.append, lambda: terminal.now)


def ticket(text):
    return re.search(r"http://127\.0\.0\.1:8765/\?ticket=(\S{43})", text)[1]


def refusal(door, word):
    with pytest.raises(HTTPException) as caught:
        door.take(word)
    return caught.value.status_code, caught.value.detail


def test_every_address_is_another_and_lets_in(door, terminal):
    words = {ticket(door.address()) for _ in range(3)}
    assert len(words) == 3
    for word in words:
        door.take(word)
    assert terminal.said == []


def test_a_ticket_lets_in_once_and_its_owner_hears_of_the_second_time(door, terminal):
    word = ticket(door.address())
    door.take(word)
    status, told = refusal(door, word)
    assert status == 403
    assert "used already, or it is too old" in told
    assert "Open the new address that stands in the terminal" in told
    (warning,) = terminal.said
    assert warning.startswith("Warning: the address of the page was opened a second time")
    assert "If not, somebody else knows it, and may have been the first: press Ctrl-C" in warning
    assert ticket(warning) not in told
    door.take(ticket(warning))


@pytest.mark.parametrize("seconds", [FOR_A_PERSON, FOR_A_PROGRAM])
def test_a_ticket_ends_and_is_replaced_where_its_owner_sees_it(door, terminal, seconds):
    late, in_time = (ticket(door.address(seconds)) for _ in range(2))
    terminal.now += seconds - 1
    door.take(in_time)
    terminal.now += 1
    assert refusal(door, late)[0] == 403
    (warning,) = terminal.said
    assert warning.startswith("Warning: the address of the page was opened too late")
    door.take(ticket(warning))


def test_the_browser_has_a_minute_and_a_person_has_ten():
    assert (FOR_A_PROGRAM, FOR_A_PERSON) == (60, 600)


def test_whoever_tries_again_and_again_does_not_fill_the_terminal(door, terminal):
    word = ticket(door.address())
    door.take(word)
    for _ in range(5):
        assert refusal(door, word)[0] == 403
    assert len(terminal.said) == 1


@pytest.mark.parametrize("guessed", ["", "x", "ü"])
def test_a_ticket_that_was_never_handed_out_learns_nothing(door, terminal, guessed):
    door.address()
    assert refusal(door, guessed) == (404, "")
    assert terminal.said == []


def test_the_server_says_it_to_the_person_at_the_terminal(app, stranger, capsys):
    address = app.state.door.address()
    assert [stranger.get(address).status_code for _ in range(2)] == [303, 403]
    again = ticket(capsys.readouterr().out)
    assert again not in address
    assert stranger.get(f"/?ticket={again}").status_code == 303


def test_only_a_visit_uses_a_ticket(app, stranger):
    """What looks an address up without opening it must not use it up."""
    address = app.state.door.address()
    for method in ("HEAD", "OPTIONS", "POST"):
        assert stranger.request(method, address).status_code == 404
    assert stranger.get(address).status_code == 303
