import sys
import unicodedata
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym.tasks.answers import (
    dates_in,
    has_date,
    has_number,
    includes,
    is_exact,
    lists_exactly,
    normalise,
    says_yes_or_no,
)

LAW = settings(derandomize=True, deadline=None)

TEXT = st.text(st.characters(codec="utf-8"))


@LAW
@given(TEXT)
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


def test_every_character_is_normalised_once_and_for_all():
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) in ("Cn", "Cs", "Co"):
            continue
        once = normalise(f"a{chr(code)}b")
        assert normalise(once) == once, hex(code)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  Two\n words\u00a0here\u202f!", "two words here !"),
        ("“Don’t” — ‘so’ – ‑ −", "\"don't\" - 'so' - - -"),
        ("Straße ﬁne ＡＢＣ", "strasse fine abc"),
        ("soft\u00adhy\u200bphen\ufeff", "softhyphen"),
        ("", ""),
    ],
)
def test_normal_form(text, plain):
    assert normalise(text) == plain


@pytest.mark.parametrize(
    ("answer", "expected", "ok"),
    [
        ("Open", "open", True),
        ("“Open.”", "open", True),
        ("'open'.", "Open", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("It is open", "open", False),
        ("opened", "open", False),
        ("open, closed", "open", False),
        ("", "open", False),
    ],
)
def test_exact(answer, expected, ok):
    assert is_exact(answer, expected) is ok


@pytest.mark.parametrize(
    ("answer", "expected", "ok"),
    [
        ("It was written by Ines Barlow.", "Ines Barlow", True),
        ("INES   BARLOW wrote it", "Ines Barlow", True),
        ("The tag is “C++”, I think", "C++", True),
        ("It costs $5.", "$5", True),
        ("It costs US$5.", "$5", True),
        ("Ines van Barlow", "Ines Barlow", False),
        ("Barlow Ines", "Ines Barlow", False),
        ("The category is Start", "Art", False),
        ("It is Arts", "Art", False),
        ("3.5 stars", "3", False),
        ("1,003 views", "3", False),
        ("version 3.", "3", True),
        ("$5.50", "$5", False),
        ("15", "5", False),
        ("a.c", "abc", False),
        ("anything", "", False),
    ],
)
def test_includes_whole_words_only(answer, expected, ok):
    assert includes(answer, expected) is ok


@pytest.mark.parametrize(
    ("answer", "expected", "options", "ok"),
    [
        ("There are 12 comments.", 12, {}, True),
        ("12", 12, {}, True),
        ("It has 1,234 reviews", 1234, {}, True),
        ("$0.00", 0, {}, True),
        ("0", 0.0, {}, True),
        ("minus: −5", -5, {}, True),
        ("+7", 7, {}, True),
        ("about .5", 0.5, {}, True),
        ("the 3rd post has 8 comments", 8, {}, True),
        ("12 or 13", 12, {}, False),
        ("Between 10-12", 12, {}, False),
        ("112", 12, {}, False),
        ("12.5", 12, {}, False),
        ("1,2", 12, {}, False),
        ("12,34", 1234, {}, False),
        ("1.234,56", 1234.56, {}, False),
        ("-5", 5, {}, False),
        ("twelve", 12, {}, False),
        ("12th", 12, {}, False),
        ("B12", 12, {}, False),
        ("", 0, {}, False),
        ("99.99", 100, {"tolerance": 0.01}, True),
        ("99.98", 100, {"tolerance": 0.01}, False),
        ("It is 5 km long", 5, {"unit": "km"}, True),
        ("5km", 5, {"unit": "km"}, True),
        ("5 KM.", 5, {"unit": "km"}, True),
        ("It costs $5", 5, {"unit": "$"}, True),
        ("It costs US$ 5", 5, {"unit": "$"}, True),
        ("-$5", -5, {"unit": "$"}, True),
        ("$-5", -5, {"unit": "$"}, True),
        ("$1,234.50", 1234.5, {"unit": "$"}, True),
        ("5€", 5, {"unit": "€"}, True),
        ("100%", 100, {"unit": "%"}, True),
        ("It is 5", 5, {"unit": "km"}, False),
        ("5 kmh", 5, {"unit": "km"}, False),
        ("5kmh", 5, {"unit": "km"}, False),
        ("from 5", 5, {"unit": "m"}, False),
        ("-$5", 5, {"unit": "$"}, False),
        ("€5", 5, {"unit": "$"}, False),
        ("5 miles, not km", 5, {"unit": "km"}, False),
        ("$5 and $6", 5, {"unit": "$"}, False),
    ],
)
def test_the_only_number(answer, expected, options, ok):
    assert has_number(answer, expected, **options) is ok


@LAW
@given(st.integers(-(10**12), 10**12))
def test_a_whole_number_is_read_with_and_without_separators(number):
    assert has_number(f"It is {number}.", number) and has_number(f"It is {number:,}.", number)
    assert not has_number(f"It is {number + 1:,}.", number)


MARCH_5 = date(2024, 3, 5)
FORMATS = [
    "{d:%Y-%m-%d}",
    "{d:%Y-%m-%d}T10:30:00",
    "{d:%Y/%m/%d}",
    "{d:%Y.%m.%d}",
    "{d:%m/%d/%Y}",
    "{d.month}/{d.day}/{d.year}",
    "{d:%B} {d.day}, {d.year}",
    "{d:%B} {d.day} {d.year}",
    "{d:%B} {d.day},{d.year}",
    "{d:%b} {d.day}, {d.year}",
    "{d:%b}. {d:%d}, {d.year}",
    "{d:%B} the {d.day}th, {d.year}",
    "{d:%A}, {d:%B} {d.day}, {d.year}",
    "{d.day} {d:%B} {d.year}",
    "{d:%d} {d:%b} {d.year}",
    "{d.day}-{d:%b}-{d.year}",
    "{d.day}th of {d:%B}, {d.year}",
    "{d.day}. {d:%B} {d.year}",
]


@LAW
@given(st.dates(date(1000, 1, 1), date(9999, 12, 31)), st.sampled_from(FORMATS))
def test_a_date_in_any_format_is_found(day, form):
    text = f"It was published on {form.format(d=day)}."
    assert dates_in(text) == {day} and has_date(text, day)
    assert not has_date(text, date.fromordinal(day.toordinal() - 1))


@pytest.mark.parametrize(
    ("answer", "ok"),
    [
        ("MARCH 5TH, 2024", True),
        ("March 5, 2024 (2024-03-05)", True),
        ("“Boats”; March 5, 2024", True),
        ("March 5", False),
        ("March 2024", False),
        ("2024", False),
        ("March 15, 2024", False),
        ("March 5, 20245", False),
        ("12024-03-05", False),
        ("May 3, 2024", False),
        ("05/03/2024", False),
        ("March 5, 2024 or March 6, 2024", False),
        ("March 5 or 6, 2024", False),
        ("5 or 6 March 2024", False),
        ("6 or 5 March 2024", False),
        ("5-6 March 2024", False),
        ("March 4 or March 5, 2024", False),
        ("4 April or 5 March 2024", False),
        ("March 5, 2024 or 2023", False),
        ("from 2024-03-01 to 2024-03-05", False),
        ("5 Marchen 2024", False),
        ("2024-3/5", False),
        ("", False),
    ],
)
def test_near_misses_of_a_date(answer, ok):
    assert has_date(answer, MARCH_5) is ok


def test_a_date_that_does_not_exist_is_none():
    assert dates_in("February 30, 2024; 2024-13-01; 0000-01-01") == set()
    assert dates_in("Sept. 1, 2024, Sep 2, 2024 and 29 February 2024") == {
        date(2024, 9, 1),
        date(2024, 9, 2),
        date(2024, 2, 29),
    }


WORDS = ("Art", "Art history", "History", "Boats", "Food & Drink", "Food")


@pytest.mark.parametrize(
    ("answer", "expected", "ok"),
    [
        ("Art, Boats", ["Art", "Boats"], True),
        ("The categories are boats and ART.", ["Art", "Boats"], True),
        ("“Food & Drink”", ["Food & Drink"], True),
        ("Art; Art history", ["Art", "Art history"], True),
        ("Art history; Art", ["Art", "Art history"], True),
        ("Boats, Boats", ["Boats"], True),
        ("none of them", [], True),
        ("Art history", ["Art"], False),
        ("Art history", ["Art", "Art history"], False),
        ("Art history", ["Art", "History"], False),
        ("Art, History", ["Art history"], False),
        ("Food & Drink", ["Food"], False),
        ("Food", ["Food & Drink"], False),
        ("Art", ["Art", "Boats"], False),
        ("Art, Boats, Food", ["Art", "Boats"], False),
        ("Everything: Art, Art history, History, Boats, Food & Drink, Food", ["Art"], False),
        ("Start, Boats", ["Art", "Boats"], False),
        ("Arts and Boats", ["Art", "Boats"], False),
        ("Boats", [], False),
        ("", ["Art"], False),
    ],
)
def test_exactly_these_items(answer, expected, ok):
    assert lists_exactly(answer, expected, WORDS) is ok


def test_without_a_universe_only_the_items_count():
    assert lists_exactly("Art and anything else", ["Art"])
    assert not lists_exactly("anything else", ["Art"])
    assert lists_exactly("", [])


@LAW
@given(st.lists(st.sampled_from(WORDS), unique=True), st.randoms())
def test_the_order_of_items_does_not_matter(items, random):
    mixed = list(items)
    random.shuffle(mixed)
    assert lists_exactly("; ".join(items), mixed, WORDS)
    assert lists_exactly(" and also ".join(mixed), items, WORDS)
    for other in set(WORDS) - set(items):
        assert not lists_exactly("; ".join([*items, other]), items, WORDS)
    for item in items:
        assert not lists_exactly("; ".join(i for i in items if i != item), items, WORDS)


@pytest.mark.parametrize(
    ("answer", "yes", "no"),
    [
        ("Yes", True, False),
        ("**Yes**, it shows a cat.", True, False),
        ("yes!", True, False),
        ("Yeah, there is no doubt about it", True, False),
        ("Yes, no doubt.", True, False),
        ("True", True, False),
        ("Correct, and there is a dog too.", True, False),
        ("Yes. The second image shows it.", True, False),
        ("No", False, True),
        ("NO.", False, True),
        ("No, there is no image of a cat.", False, True),
        ("No image of the article shows one.", False, True),
        ("None of the images does.", False, True),
        ("nope", False, True),
        ("Yes and no", False, False),
        ("Yes, and no.", False, False),
        ("yes/no", False, False),
        ("no/yes", False, False),
        ("Yes or no?", False, False),
        ("yes no", False, False),
        ("Yes. No.", False, False),
        ("No... actually yes", False, False),
        ("Yes; sorry, I mean no", False, False),
        ("No idea", False, False),
        ("No answer.", False, False),
        ("Yesterday", False, False),
        ("Nobody knows", False, False),
        ("Not sure", False, False),
        ("Maybe yes", False, False),
        ("The answer is yes", False, False),
        ("There is one", False, False),
        ("", False, False),
        ("!?", False, False),
    ],
)
def test_yes_or_no_by_the_leading_word(answer, yes, no):
    assert (says_yes_or_no(answer, True), says_yes_or_no(answer, False)) == (yes, no)


@LAW
@given(TEXT)
def test_no_text_is_both_yes_and_no(text):
    for answer in (text, f"yes {text}", f"no {text}"):
        assert not (says_yes_or_no(answer, True) and says_yes_or_no(answer, False))


@LAW
@given(TEXT)
def test_any_text_gets_a_verdict(text):
    assert is_exact(text, text)
    for verdict in (includes(text, "a"), has_number(text, 1, unit="$"), has_date(text, MARCH_5)):
        assert verdict in (True, False)
    assert lists_exactly(text, [text], [text]) in (True, False)
