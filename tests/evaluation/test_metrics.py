import pytest

from skillshift_gym.evaluation.metrics import Metric, average, failure_rate, macro, measure, success_rate


def test_the_four_diagnostics_by_hand(record):
    cell = measure(
        [
            record(0, True, steps=2, skill_calls=3, skill_failures=1, primitives=5),
            record(1, False, steps=10, skill_calls=0, skill_failures=0, primitives=9, end="budget"),
            record(2, True, steps=3, skill_calls=1, skill_failures=0, primitives=4),
            record(3, False, steps=1, skill_calls=0, skill_failures=0, primitives=0, end="agent_error"),
        ]
    )
    assert (cell.n, cell.planned, cell.errors) == (4, 4, 0)
    assert (cell.sr.value, cell.sr.n) == (50.0, 4)
    assert (cell.steps.value, cell.steps.n) == (4.0, 4)
    assert (cell.calls.value, cell.calls.n) == (1.0, 4)
    assert (cell.failures.value, cell.failures.n) == (25.0, 4)  # of 4 calls, not of tasks
    assert (cell.primitives.value, cell.primitives.n) == (4.5, 4)
    for metric in (cell.sr, cell.steps, cell.calls, cell.failures, cell.primitives):
        assert metric.interval.low <= metric.value <= metric.interval.high


def test_percent_intervals_are_in_percent(record):
    rate = success_rate([record(n, n < 8) for n in range(10)])
    assert (rate.value, rate.interval) == (80.0, pytest.approx((49.0162, 94.3318), abs=1e-3))


def test_errors_are_no_measurement(record):
    fine = [record(n, n % 2 == 0, steps=4) for n in range(4)]
    broken = record(9, False, steps=0, status="error", end="error")
    cell = measure([*fine, broken], planned=6)
    assert (cell.n, cell.planned, cell.errors) == (4, 6, 1)
    assert cell.sr == measure(fine).sr and cell.steps == measure(fine).steps


def test_nothing_measured_is_null_with_a_reason(record):
    for cell in (measure([], planned=79), measure([record(status="error", success=False, end="error")])):
        for metric in (cell.sr, cell.steps, cell.calls, cell.failures, cell.primitives):
            assert metric == (None, 0, None, "no task was measured")


def test_no_call_is_a_measurement_of_calls_and_none_of_failures(record):
    cell = measure([record(n) for n in range(5)])
    assert (cell.calls.value, cell.calls.reason) == (0.0, "")
    assert cell.failures == (None, 0, None, "no skill was called")


def test_a_method_without_executable_skills(record):
    cell = measure([record(n, skill_calls=None, skill_failures=None) for n in range(3)])
    assert (cell.calls.value, cell.calls.n, cell.calls.reason) == (None, 3, "the method has no executable skills")
    assert (cell.failures.value, cell.failures.reason) == (None, "the method has no executable skills")


@pytest.mark.parametrize(("calls", "warned"), [(29, True), (30, False), (31, False)])
def test_few_calls_are_flagged(record, calls, warned):
    rate = failure_rate([record(0, skill_calls=calls, skill_failures=3)])
    assert rate.value == pytest.approx(300 / calls) and rate.n == calls
    assert rate.reason == ("fewer than 30 calls" if warned else "")


def test_failures_are_pooled_over_calls_not_averaged_over_tasks(record):
    rate = failure_rate([record(0, skill_calls=1, skill_failures=1), record(1, skill_calls=99, skill_failures=0)])
    assert rate.value == 1.0 and rate.n == 100


def test_the_macro_mean_weighs_cells_alike():
    cells = [success_rate_of(62.66, 79), success_rate_of(25.49, 114), success_rate_of(17.71, 162)]
    assert macro(cells).value == pytest.approx(35.29, abs=0.01)  # the published AWM row; by tasks it would be 30.21
    assert macro(cells).n == 3 and macro(cells).reason == ""


def test_the_macro_mean_leaves_undefined_cells_out_and_says_so():
    null = Metric(None, 0, None, "no skill was called")
    assert macro([success_rate_of(10, 5), null, success_rate_of(20, 5)]) == (15.0, 2, None, "1 cells undefined")
    assert macro([null, null]) == (None, 0, None, "no cell is defined")
    assert macro([]) == (None, 0, None, "no cell is defined")


def test_the_mean_of_sites_is_that_of_conditions_and_of_all():
    grid = [[success_rate_of(10 * site + condition, 79) for condition in range(6)] for site in range(3)]
    sites = macro([macro(row) for row in grid])
    conditions = macro([macro(list(column)) for column in zip(*grid, strict=True)])
    overall = macro([cell for row in grid for cell in row])
    assert sites.value == pytest.approx(conditions.value) == pytest.approx(overall.value)


def test_an_average_of_nothing():
    assert average([]) == (None, 0, None, "no task was measured")


def success_rate_of(value, n):
    return Metric(float(value), n)
