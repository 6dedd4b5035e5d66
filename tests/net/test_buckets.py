"""Token buckets: the burst, the sustained rate, and the number of keys kept."""

from hypothesis import given
from hypothesis import strategies as st

from net.scheduler import Bucket, Buckets

rates = st.floats(0.01, 100)
bursts = st.integers(1, 50)
steps = st.lists(st.floats(0, 100), min_size=1, max_size=200)


@given(rates, bursts, steps)
def test_a_bucket_passes_at_most_its_burst_and_the_sustained_rate(rate, burst, steps):
    bucket, now, passed = Bucket(rate, burst), 1000.0, 0
    for step in steps:
        now += step
        passed += bucket.take(now)
    assert passed <= burst + (now - 1000 - steps[0]) * rate + 1e-6


@given(rates, bursts)
def test_a_new_bucket_lets_exactly_one_burst_through_at_once(rate, burst):
    bucket = Bucket(rate, burst)
    assert [bucket.take(5) for _ in range(burst + 3)] == [True] * burst + [False] * 3


@given(rates, bursts, st.integers(1, 50))
def test_a_key_at_the_sustained_rate_always_passes(rate, burst, times):
    bucket = Bucket(rate, burst)
    assert all(bucket.take(n / rate * 1.001) for n in range(times + burst))


@given(rates, bursts, st.floats(0.1, 1000))
def test_a_clock_that_steps_back_earns_nothing(rate, burst, seconds):
    bucket = Bucket(rate, burst)
    for _ in range(burst):
        bucket.take(1000)
    assert not bucket.take(1000 - seconds)
    assert bucket.is_empty(1000)


@given(st.lists(st.tuples(st.integers(0, 30), st.floats(0, 2)), max_size=200), st.integers(1, 8))
def test_no_more_keys_are_remembered_than_allowed_and_each_is_counted_alone(takes, max_keys):
    buckets, single_buckets, now = Buckets(1, 2, 31), {}, 0.0
    limited_buckets = Buckets(1, 2, max_keys)
    for key, step in takes:
        now += step
        assert buckets.take(key, now) == single_buckets.setdefault(key, Bucket(1, 2)).take(now)
        limited_buckets.take(key, now)
        assert len(limited_buckets) <= max_keys


def test_full_buckets_are_evicted_before_those_that_still_count():
    buckets = Buckets(1, 2, 2)
    buckets.take("guesser", 0)
    buckets.take("guesser", 0)
    buckets.take("guest", 0)
    buckets.take("guesser", 1.5)
    buckets.take("guesser", 1.5)
    buckets.take("friend", 1.5)  # of the two, `guest` is full again
    assert buckets.is_empty("guesser", 1.5)
    assert not buckets.is_empty("guest", 1.5)


def test_checking_a_key_stores_nothing():
    buckets = Buckets(1, 1, 2)
    assert not buckets.is_empty("anybody", 0)
    assert len(buckets) == 0
