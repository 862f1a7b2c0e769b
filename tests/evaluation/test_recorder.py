import asyncio

import pytest

from skillshift_gym.evaluation.recorder import CallRecorder, NestedSkillCall


@pytest.fixture
def recorder():
    return CallRecorder()


def test_a_call_counts_once(recorder):
    assert (recorder.calls, recorder.failures) == ((), 0)
    with recorder.skill_call("search"):
        pass
    with recorder.skill_call("open"):
        pass
    assert recorder.calls == (("search", ""), ("open", ""))
    assert recorder.failures == 0


def test_a_retrieved_skill_that_is_not_run_does_not_count(recorder):
    recorder.skill_call("search")
    assert recorder.calls == ()


def test_a_call_counts_from_its_beginning(recorder):
    with recorder.skill_call("search"):
        assert recorder.calls == (("search", ""),)


@pytest.mark.parametrize(("reason", "kept"), [("no result", "no result"), ("", "failed"), (None, "failed"), (7, "7")])
def test_a_call_marked_as_failed(recorder, reason, kept):
    with recorder.skill_call("search") as call:
        call.fail(reason)
    assert (recorder.calls, recorder.failures) == ((("search", kept),), 1)


def test_the_first_reason_stays_and_a_call_fails_once(recorder):
    with recorder.skill_call("search") as call:
        call.fail("first")
        call.fail("second")
    assert (recorder.calls, recorder.failures) == ((("search", "first"),), 1)


def test_a_failure_told_late_counts_too(recorder):
    with recorder.skill_call("search") as call:
        pass
    call.fail("it turned out wrong")
    assert recorder.failures == 1


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, asyncio.CancelledError])
def test_an_escaping_exception_fails_the_call_and_goes_on(recorder, error):
    with pytest.raises(error), recorder.skill_call("search"):
        raise error
    assert recorder.calls == (("search", error.__name__),)


def test_an_exception_that_is_handled_inside_does_not_fail_the_call(recorder):
    with recorder.skill_call("search"):
        try:
            raise ValueError
        except ValueError:
            pass
    assert recorder.failures == 0


def test_nesting_raises_and_counts_one_failed_call(recorder):
    nested = pytest.raises(NestedSkillCall, match="'inner' was called inside")
    with nested, recorder.skill_call("outer"), recorder.skill_call("inner"):
        pass
    assert recorder.calls == (("outer", "NestedSkillCall"),)
    with recorder.skill_call("next"):
        pass
    assert [name for name, _ in recorder.calls] == ["outer", "next"]


def test_nesting_that_is_caught_counts_one_call(recorder):
    with recorder.skill_call("outer"), pytest.raises(NestedSkillCall), recorder.skill_call("inner"):
        pass
    assert recorder.calls == (("outer", ""),)


def test_a_call_is_entered_once(recorder):
    call = recorder.skill_call("search")
    with call:
        pass
    with pytest.raises(Exception, match="ask the recorder for another"), call:
        pass
    assert len(recorder.calls) == 1


def test_what_was_recorded_cannot_be_replaced(recorder):
    with pytest.raises(AttributeError):
        recorder.calls = ()
    with pytest.raises(AttributeError):
        recorder.failures = 0
