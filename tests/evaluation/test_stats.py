from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym.evaluation.contrasts import compared
from skillshift_gym.evaluation.stats import Interval, bootstrap_mean, bootstrap_ratio, holm, mcnemar, paired, wilson

LAW = settings(derandomize=True, deadline=None)


# By hand from Wilson's formula with z = 1.959964; 8/10 and 0/10 are also the textbook values.
@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (8, 10, 0.490162, 0.943318),
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (1, 1, 0.206549, 1.0),
        (50, 100, 0.403832, 0.596168),
        (61, 79, 0.668332, 0.850732),
    ],
)
def test_wilson(successes, n, low, high):
    assert wilson(successes, n) == pytest.approx((low, high), abs=1e-5)


def test_wilson_at_another_confidence():
    assert wilson(5, 10, confidence=0.6826895) == pytest.approx((0.349244, 0.650756), abs=1e-5)  # z = 1


@LAW
@given(st.integers(0, 400), st.integers(1, 400))
def test_wilson_holds_the_proportion_and_is_symmetric(a, b):
    successes, n = min(a, b), max(a, b, 1)
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low))


def test_without_data_there_is_no_interval():
    assert wilson(0, 0) is None
    assert bootstrap_mean([]) is None
    assert bootstrap_ratio([]) is None
    assert bootstrap_ratio([(0, 0), (0, 0)]) is None
    assert paired([], []) is None


def test_bootstrap_of_equal_values_is_a_point():
    assert bootstrap_mean([2.0] * 7) == (2.0, 2.0)
    assert bootstrap_mean([5.0]) == (5.0, 5.0)
    assert bootstrap_ratio([(1, 2)] * 4) == (0.5, 0.5)


def test_bootstrap_of_a_mean_is_near_the_normal_interval():
    low, high = bootstrap_mean([0.0, 1.0] * 200)  # standard error 0.025
    assert (low, high) == pytest.approx((0.451, 0.549), abs=0.006)


def test_bootstrap_of_a_ratio_weighs_pairs_by_their_calls():
    low, high = bootstrap_ratio([(9, 10), (0, 1)] * 100)
    assert low < 900 / 1100 < high and high - low < 0.1
    assert bootstrap_ratio([(1, 1), (0, 0), (0, 0), (0, 0), (0, 0)]) == (1.0, 1.0)  # resamples without calls left out


@LAW
@given(st.lists(st.floats(-100, 100), min_size=1, max_size=30))
def test_bootstrap_stays_in_the_range_of_its_values_and_repeats(values):
    interval = bootstrap_mean(values)
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9
    assert bootstrap_mean(values) == interval and isinstance(interval, Interval)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (1, 1, 1.0),
        (5, 0, 2 / 32),
        (0, 6, 2 / 64),
        (2, 8, 2 * (1 + 10 + 45) / 1024),
        (10, 10, 1.0),
        (1, 9, 2 * (1 + 10) / 1024),
    ],
)
def test_exact_mcnemar(first, second, p):
    assert mcnemar(first, second) == pytest.approx(p)
    assert mcnemar(second, first) == mcnemar(first, second)


def test_mcnemar_of_many_pairs():
    expected = 2 * sum(comb(2000, k) for k in range(901)) / 2**2000
    assert mcnemar(900, 1100) == pytest.approx(expected)


def test_a_paired_comparison():
    first = [True, True, False, False, False, True, False, False]
    second = [True, False, True, True, True, True, False, True]
    result = paired(first, second)
    assert (result.n, result.only_first, result.only_second) == (8, 1, 4)
    assert result.difference == pytest.approx(3 / 8)
    assert result.p_value == pytest.approx(2 * (1 + 5) / 32)
    assert result.interval.low < 3 / 8 < result.interval.high
    turned = paired(second, first)
    assert (turned.difference, turned.p_value) == (-result.difference, result.p_value)


def test_arms_that_agree_on_every_task():
    result = paired([True, False, True], [True, False, True])
    assert result == (3, 0.0, (0.0, 0.0), 0, 0, 1.0)


def test_arms_of_different_length_are_no_pairs():
    with pytest.raises(ValueError, match="zip"):
        paired([True], [True, False])


@pytest.mark.parametrize(
    ("given", "adjusted"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),  # 3 * 0.01; 2 * 0.03; max(1 * 0.04, 0.06)
        ([0.04, 0.01, 0.03, 0.005], [0.06, 0.03, 0.06, 0.02]),  # 4 * 0.005, 3 * 0.01, 2 * 0.03, then no less
        ([0.5, 0.4, 0.9], [1.0, 1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
        ([0.0, 1.0], [0.0, 1.0]),
    ],
)
def test_holm_by_hand(given, adjusted):
    assert holm(given) == pytest.approx(adjusted)


@LAW
@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_lies_between_the_given_and_bonferroni(values):
    adjusted = holm(values)
    for given_p, p in zip(values, adjusted, strict=True):
        assert given_p <= p <= 1
    pairs = sorted(zip(values, adjusted, strict=True))
    assert [p for _, p in pairs] == sorted(p for _, p in pairs)
    if values:
        assert min(adjusted) == min(1.0, len(values) * min(values))


def test_no_task_in_both_arms_is_no_comparison(record):
    assert compared([record(1)], [record(2)]) == (None, 0)
    assert compared([], []) == (None, 0)


def test_tasks_missing_in_one_arm_are_left_out_of_both(record):
    lost = record(3, False, status="error", end="error")
    first = [record(1, True), record(2, False), record(3, True), record(4, True)]
    result, both = compared(first, [record(2, True), lost, record(4, False), record(5, True)])
    assert both == result.n == 2  # 2 and 4
    assert (result.only_first, result.only_second, result.difference) == (1, 1, 0.0)
