# ruff: noqa: PT012 - the limit is what raises, in whatever the block is doing
import contextlib
import signal
import threading
import time

import pytest

from course.teaching.limit import TimeLimitReached, time_limit

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no alarm"),
    pytest.mark.usefixtures("leaves_no_trace"),
]


def spin(seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_an_endless_loop_ends_when_the_time_is_up(on_a_thread):
    def limited():
        start = time.monotonic()
        with pytest.raises(TimeLimitReached), time_limit(0.1) as limit:
            spin()
        return limit.reached, time.monotonic() - start

    reached, seconds = on_a_thread(limited)
    assert reached
    assert 0.1 <= seconds < 1.0


def test_code_that_ends_in_time_is_not_disturbed(on_a_thread):
    def limited():
        with time_limit(0.1) as limit:
            spin(0.01)
        spin(0.15)  # past the limit: nothing may ring any more
        return limit.reached

    assert on_a_thread(limited) is False


def test_a_limit_that_was_caught_inside_is_still_told(on_a_thread):
    def limited():
        with time_limit(0.05) as limit, contextlib.suppress(TimeLimitReached):
            spin()
        return limit.reached

    assert on_a_thread(limited) is True


def test_no_exception_is_left_pending_after_a_limit(on_a_thread):
    def limited():
        for _ in range(40):  # loops that end just when the time is up
            with contextlib.suppress(TimeLimitReached), time_limit(0.002):
                spin(0.002)
        spin(0.1)
        return True

    assert on_a_thread(limited)


def test_a_sleep_on_the_main_thread_is_ended():
    start = time.monotonic()
    with pytest.raises(TimeLimitReached), time_limit(0.1):
        time.sleep(30)
    assert time.monotonic() - start < 1.0


def test_a_loop_that_catches_everything_is_ended():
    with pytest.raises(TimeLimitReached), time_limit(0.05):
        while True:
            try:  # noqa: SIM105 - this is what a learner writes
                spin()
            except:  # noqa: E722
                pass


def test_two_nested_catches_do_not_keep_the_loop():
    with pytest.raises(TimeLimitReached), time_limit(0.05):
        while True:
            try:
                try:
                    spin()
                except BaseException:
                    str(1)
            except BaseException:
                str(2)


@pytest.mark.parametrize(
    "disarm",
    [
        lambda: signal.alarm(0),
        lambda: signal.signal(signal.SIGALRM, signal.SIG_IGN),
    ],
    ids=["alarm", "handler"],
)
def test_code_that_switches_the_alarm_off_falls_into_the_net(disarm):
    with pytest.raises(TimeLimitReached), time_limit(0.05):
        disarm()
        spin()


def test_the_outer_limit_goes_on_while_inner_ones_come_and_go(on_a_thread):
    def limited():
        start = time.monotonic()
        inner = 0
        with pytest.raises(TimeLimitReached), time_limit(0.3):
            while True:
                with time_limit(10):
                    spin(0.02)
                inner += 1
        return inner, time.monotonic() - start

    inner, seconds = on_a_thread(limited)
    assert inner >= 1
    assert 0.3 <= seconds < 1.0


def test_the_outer_limit_ends_an_inner_one_that_is_longer(on_a_thread):
    def limited():
        start = time.monotonic()
        with pytest.raises(TimeLimitReached), time_limit(0.1) as outer:
            with contextlib.suppress(TimeLimitReached), time_limit(20):
                spin()
            spin()
        return outer.reached, time.monotonic() - start

    reached, seconds = on_a_thread(limited)
    assert reached
    assert seconds < 0.5  # not when its net, half a second below it, was reached


def test_the_inner_limit_ends_alone(on_a_thread):
    def limited():
        with time_limit(20) as outer:
            with pytest.raises(TimeLimitReached), time_limit(0.05):
                spin()
            spin(0.1)
        return outer.reached

    assert on_a_thread(limited) is False


def test_an_alarm_of_someone_else_rings_at_its_time_or_right_after_the_limit():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with time_limit(5):
            spin(0.03)
        left = signal.getitimer(signal.ITIMER_REAL)[0]
        assert 0 < left <= 0.1 - 0.03
        with time_limit(5):
            spin(0.2)
        spin(0.02)
        assert len(rung) == 1
        assert rung[0] - start < 1.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_limit_that_is_none_is_refused(seconds):
    with pytest.raises(ValueError, match=rf"^a time limit of {seconds} s; expected more than 0 s$"):
        time_limit(seconds)


def test_no_watching_thread_outlives_its_limit(on_a_thread):
    def limited():
        before = threading.active_count()
        for seconds in (0.01, 20):
            with contextlib.suppress(TimeLimitReached), time_limit(seconds):
                spin(0.03)
        return threading.active_count() - before

    assert on_a_thread(limited) == 0
